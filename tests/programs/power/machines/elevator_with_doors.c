// expect: safe

// The cabin moves only with closed doors, and the doors open only where it
// stands still.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int moving = 0, doors = 0, floor = 0;

  while (__VERIFIER_nondet_int()) {
    int button = __VERIFIER_nondet_int();
    if (moving) {
      if (button > 0 && floor < 20) {
        floor++;
      } else {
        moving = 0;
      }
    } else if (doors) {
      doors = button != 0;
    } else if (button == 0) {
      doors = 1;
    } else {
      moving = 1;
    }
    assert(!(moving && doors));
    assert(floor <= 20);
  }
  return 0;
}
