// expect: safe
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// unknown: impact (it does not know bits exactly)
// unknown: predabs (it does not know bits exactly)

#include <assert.h>
#include <limits.h>

extern int __VERIFIER_nondet_int(void);

static int add(int a, int b) {
  unsigned sum = (unsigned)a + (unsigned)b;
  /* The sign of the sum is wrong where both operands have the other one. */
  if ((((unsigned)a ^ sum) & ((unsigned)b ^ sum)) >> 31)
    return a < 0 ? INT_MIN : INT_MAX;
  return (int)sum;
}

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  long long exact = (long long)a + b;
  int sum = add(a, b);
  assert(exact > INT_MAX ? sum == INT_MAX : exact < INT_MIN ? sum == INT_MIN : sum == exact);
  return 0;
}
