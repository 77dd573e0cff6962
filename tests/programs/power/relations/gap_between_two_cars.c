// expect: safe

// The one behind moves only with distance to spare.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int front = 10, back = 0;

  while (front < 100000) {
    if (front - back > 2 && __VERIFIER_nondet_int()) {
      back += 2;
    } else {
      front++;
    }
    assert(back < front);
  }
  return 0;
}
