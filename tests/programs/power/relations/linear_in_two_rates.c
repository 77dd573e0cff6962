// expect: safe

// x and y grow by the input's choice of two vectors; 2x - y has a sign.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int east = 0, north = 0;

  while (east < 100000) {
    if (__VERIFIER_nondet_int()) {
      east += 1;
      north += 2;
    } else {
      east += 3;
      north += 1;
    }
    assert(2 * east >= north && 3 * north >= east);
  }
  return 0;
}
