// expect: safe
// level: core

#include <assert.h>
#include <math.h>
int main(void) {
  assert(ceil(-2.7) == -2.0 && floor(-2.7) == -3.0 && trunc(-2.7) == -2.0);
  assert(fabs(-3.0) == 3.0 && round(2.5) == 3.0 && rint(2.5) == 2.0);
  assert(fmod(-7.5, 2.0) == -1.5 && sqrt(6.25) == 2.5 && fmax(1.0, 2.0) == 2.0);
  assert(isnan(fabs(-NAN)) && isinf(-INFINITY) && !isfinite(INFINITY));
  assert(signbit(-0.0) && lround(-2.5) == -3);
  return 0;
}
