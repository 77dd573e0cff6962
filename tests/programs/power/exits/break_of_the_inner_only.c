// expect: safe

// The inner break does not end the outer loop.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int days = 0;

  for (int i = 0; i < 31; i++) {
    while (1) {
      if (__VERIFIER_nondet_int()) {
        break;
      }
    }
    days++;
  }
  assert(days == 31);
  return 0;
}
