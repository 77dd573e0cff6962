// expect: safe

// Whatever the reading is, clamp brings it into the range.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int clamp(int value, int low, int high) {
  if (value < low) {
    return low;
  }
  return value > high ? high : value;
}

int main(void) {
  int smooth = 50;

  while (__VERIFIER_nondet_int()) {
    int reading = clamp(__VERIFIER_nondet_int(), 0, 100);
    smooth = (smooth + reading) / 2;
    assert(smooth >= 0 && smooth <= 100);
  }
  return 0;
}
