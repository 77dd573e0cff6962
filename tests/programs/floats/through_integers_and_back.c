// expect: safe
// level: core
// unknown: gps* (it does not know floating-point numbers)
// unknown: cra (it does not know floating-point numbers)
// unknown: impact (it does not know floating-point numbers)
// unknown: predabs (it does not know floating-point numbers)
// unknown: la (it does not know floating-point numbers)
// unknown: finite (inputs of many values)
// unknown: random (finds no proofs)

#include <assert.h>
#include <math.h>
extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float(void);

int main(void) {
  int i = __VERIFIER_nondet_int();
  assert((int)(double)i == i);
  float f = __VERIFIER_nondet_float();
  assert(isnan(f) || isinf(f) || fabsf(f) <= 0x1.fffffep+127f);
  if (f >= -1000.0f && f <= 1000.0f)
    assert(floorf(f) <= (float)(int)f + (f < 0 ? 0 : 1));
  return 0;
}
