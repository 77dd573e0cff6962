// expect: unsafe
// error-line: 24

// Arm, aim and fire have to be given in this order, by their numbers.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int state = 0;

  while (__VERIFIER_nondet_int()) {
    int command = __VERIFIER_nondet_int();
    if (state == 0 && command == 311) {
      state = 1;
    } else if (state == 1 && command == 742) {
      state = 2;
    } else if (state == 2 && command == 95) {
      state = 3;
    } else {
      state = 0;
    }
    assert(state != 3);
  }
  return 0;
}
