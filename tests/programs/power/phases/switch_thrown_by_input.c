// expect: safe

// After the switch has been thrown, whenever that is, the pressure no longer
// rises.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int pressure = 0, at_switch = -1;

  for (int time = 0; time < 1000; time++) {
    if (at_switch < 0 && __VERIFIER_nondet_int()) {
      at_switch = pressure;
    }
    if (at_switch < 0) {
      pressure++;
    }
  }
  assert(at_switch < 0 || pressure == at_switch);
  return 0;
}
