// expect: safe

// Each mode has its own bound, and the mode may change only at zero.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int mode = 0, load = 0;

  while (__VERIFIER_nondet_int()) {
    if (load == 0) {
      mode = __VERIFIER_nondet_int() != 0;
    }
    if (mode == 0) {
      load = load < 5 ? load + 1 : 0;
    } else {
      load = load < 50 ? load + 1 : 0;
    }
    assert(mode == 1 || load <= 5);
    assert(load <= 50);
  }
  return 0;
}
