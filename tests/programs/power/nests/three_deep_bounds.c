// expect: safe

// Bounds of three loops, each taken from the one around it.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();

  if (n > 1000) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    for (int j = i; j < n; j++) {
      for (int k = j; k < n; k++) {
        assert(i <= k && k < n);
      }
    }
  }
  return 0;
}
