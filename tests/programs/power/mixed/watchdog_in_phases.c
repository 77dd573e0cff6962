// expect: unsafe
// error-line: 23

// The watchdog is reset by the slow task only while the fast one is idle.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int watchdog = 0, fast = 0;

  for (int tick = 0; tick < 500; tick++) {
    watchdog++;
    if (__VERIFIER_nondet_int() > 0) {
      fast++;
    } else {
      fast = 0;
    }
    if (fast < 3) {
      watchdog = 0;
    }
    assert(watchdog < 20);
  }
  return 0;
}
