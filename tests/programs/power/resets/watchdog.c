// expect: safe

// The watchdog is reset in time, every tenth tick, so it never reaches twelve.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int ticks = 0, watchdog = 0;

  while (__VERIFIER_nondet_int()) {
    ticks++;
    watchdog++;
    if (ticks == 10) {
      ticks = 0;
      watchdog = 0;
    }
    assert(watchdog < 12);
  }
  return 0;
}
