// expect: safe

// A signed character widened to an int keeps its range through all the sums.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int sum = 0;

  for (int i = 0; i < 100; i++) {
    signed char sample = (signed char)__VERIFIER_nondet_int();
    sum += sample;
    assert(sum >= -128 * (i + 1) && sum <= 127 * (i + 1));
  }
  return 0;
}
