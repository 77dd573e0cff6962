// expect: unknown

// What sign a NaN has that an operation makes, machines and compilers differ in: nothing is proved of it, and
// no run shows it.

#include <assert.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (isnan(x))
    return 0;
  double y = x - x;
  assert(!isnan(y) || !signbit(y) || isinf(x));
  if (isnan(y))
    assert(signbit(y));
  return 0;
}
