// expect: safe

// The classical pattern: the lock is held at the end of the loop only if the
// counter moved.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int held = 0, before, now = 0;

  do {
    assert(held == 0);
    held = 1;
    before = now;
    if (__VERIFIER_nondet_int()) {
      held = 0;
      now = now < 1000 ? now + 1 : 0;
    }
  } while (before != now);
  assert(held == 1);
  return 0;
}
