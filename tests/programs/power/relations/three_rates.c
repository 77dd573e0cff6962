// expect: safe

// Three counters and two kinds of steps: one equation holds in all of them.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int wheels = 0, cars = 0, bicycles = 0;

  while (wheels < 100000) {
    if (__VERIFIER_nondet_int()) {
      cars++;
      wheels += 4;
    } else {
      bicycles++;
      wheels += 2;
    }
  }
  assert(wheels == 4 * cars + 2 * bicycles);
  return 0;
}
