// expect: unsafe
// error-line: 18
// level: core
// unknown: gps* (it does not know floating-point numbers)
// unknown: cra (finds no violations)
// unknown: impact (it does not know floating-point numbers)
// unknown: predabs (it does not know floating-point numbers)
// unknown: la (it does not know floating-point numbers)
// unknown: finite (inputs of many values)
// skip: random (what it finds is a matter of time)

#include <assert.h>
extern double __VERIFIER_nondet_double(void);

int main(void) {
  double x = __VERIFIER_nondet_double();
  if (x > 1e15 && x < 1e17)
    assert(x + 1.0 != x);
  return 0;
}
