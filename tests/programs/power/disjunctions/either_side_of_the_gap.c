// expect: safe

// The value jumps over a gap: it is below ten or above twenty, and never
// between.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int value = 0;

  while (__VERIFIER_nondet_int()) {
    if (value == 9) {
      value = 21;
    } else if (value == 30) {
      value = 0;
    } else {
      value++;
    }
    assert(value < 10 || value > 20);
  }
  return 0;
}
