// expect: safe

// A stream of inputs ends at a negative one; all that were taken are not
// negative.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int taken = 0, largest = -1;

  while (1) {
    int value = __VERIFIER_nondet_int();
    if (value < 0) {
      break;
    }
    if (value > largest) {
      largest = value;
    }
    if (taken < 1000) {
      taken++;
    }
  }
  assert(taken == 0 || largest >= 0);
  return 0;
}
