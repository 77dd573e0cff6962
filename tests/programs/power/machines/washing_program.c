// expect: safe

// The drum turns only with the door shut, which is opened only when it stands.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { FILL = 10, WASH, SPIN, DONE };

int main(void) {
  int stage = FILL, turning = 0, door = 0;

  while (stage != DONE) {
    switch (stage) {
    case FILL:
      if (__VERIFIER_nondet_int()) {
        stage = WASH;
        turning = 1;
      }
      break;
    case WASH:
      stage = __VERIFIER_nondet_int() ? SPIN : FILL;
      turning = stage == SPIN;
      break;
    case SPIN:
      stage = DONE;
      turning = 0;
      break;
    default:
      assert(0);
    }
    assert(!(turning && door));
  }
  door = 1;
  assert(!turning && door);
  return 0;
}
