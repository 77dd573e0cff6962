// expect: safe
// level: core
// unknown: random (proves nothing)
// skip: gps* (all its runs decide it; what formulas make of it is another matter)
// skip: cra (as gps)
// skip: impact (how far it gets is a matter of time)

// An endless loop: the runs end where they come to a state again.
#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

enum { CLOSED, OPEN, ALARM };

static int doors[3];

int main(void) {
  int open = 0;
  for (unsigned char at = 0;; at = (at + 1) % 3) {
    _Bool push = __VERIFIER_nondet_bool();
    if (push && doors[at] == CLOSED && open < 2) {
      doors[at] = OPEN;
      open++;
    } else if (!push && doors[at] == OPEN) {
      doors[at] = CLOSED;
      open--;
    }
    assert(open >= 0 && open <= 2);
    assert(doors[0] + doors[1] + doors[2] == open);
  }
}
