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
extern float __VERIFIER_nondet_float(void);

int main(void) {
  float state = 0.0f;
  for (int i = 0; i < 2; i++) {
    float x = __VERIFIER_nondet_float();
    if (!(x >= -8.0f && x <= 8.0f))
      return 0;
    state = 0.5f * state + 0.5f * x;
    assert(state >= -8.0f && state <= 8.0f);
  }
  return 0;
}
