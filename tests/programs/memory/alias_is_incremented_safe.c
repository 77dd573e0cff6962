// expect: safe
// level: core
// unknown: random (proves nothing)

// Figure 9 of "Abstractions from Proofs": two pointers, first apart and then the same.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = 5, b = 6;
  int *x = __VERIFIER_nondet_int() ? &a : &b;
  int *y = __VERIFIER_nondet_int() ? &a : &b;
  if (x == y)
    return 0;
  *x = 0;
  y = x;
  if (y == x) {
    *y = *y + 1;
    assert(*x != 0);
  }
  return 0;
}
