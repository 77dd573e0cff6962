// expect: safe

// The lift goes up to the top and comes down to the ground again, and so on.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int floor = 0, direction = 1;

  while (__VERIFIER_nondet_int()) {
    if (floor == 12) {
      direction = -1;
    }
    if (floor == 0) {
      direction = 1;
    }
    floor += direction;
    assert(floor >= 0 && floor <= 12);
  }
  return 0;
}
