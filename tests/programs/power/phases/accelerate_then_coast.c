// expect: safe

// The speed rises to its limit and stays there: it is never above it.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int speed = 0;

  while (__VERIFIER_nondet_int()) {
    if (speed < 90) {
      speed += 3;
    }
    assert(speed <= 90);
  }
  return 0;
}
