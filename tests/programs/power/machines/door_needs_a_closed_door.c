// expect: safe

// The lock is only turned when the door is closed, and the door opens only
// unlocked.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int open = 0, locked = 0;

  while (__VERIFIER_nondet_int()) {
    int event = __VERIFIER_nondet_int();
    if (event == 0 && !locked) {
      open = 1;
    } else if (event == 1) {
      open = 0;
    } else if (event == 2 && !open) {
      locked = 1;
    } else if (event == 3) {
      locked = 0;
    }
    assert(!(open && locked));
  }
  return 0;
}
