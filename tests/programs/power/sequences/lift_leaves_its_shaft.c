// expect: unsafe
// error-line: 22

// The guard against the top floor is checked before the step of two.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int floor = 0;

  while (__VERIFIER_nondet_int()) {
    int button = __VERIFIER_nondet_int();
    if (button == 1 && floor < 12) {
      floor += 1;
    } else if (button == 2 && floor < 12) {
      floor += 2;
    } else if (button == 3 && floor > 0) {
      floor -= 1;
    }
    assert(floor <= 12);
  }
  return 0;
}
