// expect: safe
// level: core
// unknown: random (it proves nothing)

#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(__CPROVER_overflow_plus(x, 1) == (x == INT_MAX));
  assert(__CPROVER_saturating_plus(x, 7) >= x);
  assert(__CPROVER_saturating_minus(x, INT_MIN) >= 0);
  assert(__CPROVER_saturating_plus(ULONG_MAX, 1ul) == ULONG_MAX);
  assert(__CPROVER_saturating_minus(10ul, 11ul) == 0);
  return 0;
}
