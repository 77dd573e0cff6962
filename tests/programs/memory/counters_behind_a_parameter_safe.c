// expect: safe
// level: slow
// unknown: random (proves nothing)

// Each call counts in one of two places.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void count(int *place, int by) {
  *place = *place + by;
}

int main(void) {
  int heads = 0, tails = 0;
  int n = __VERIFIER_nondet_int();
  if (n < 0)
    return 0;
  for (int i = 0; i < n; i++)
    count(__VERIFIER_nondet_int() ? &heads : &tails, 1);
  assert(heads + tails == n);
  return 0;
}
