// expect: safe

// The inner index stays below the outer one, so the difference is positive.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int size = __VERIFIER_nondet_int();

  for (int i = 0; i < size; i++) {
    for (int j = 0; j < i; j++) {
      assert(i - j > 0 && i - j < size);
    }
  }
  return 0;
}
