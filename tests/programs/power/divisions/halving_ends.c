// expect: safe

// Halving a positive number never makes it larger, nor negative.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int start = __VERIFIER_nondet_int();
  int rest = start;

  if (start <= 0) {
    return 0;
  }
  while (rest > 1) {
    rest = rest / 2;
    assert(rest >= 1 && rest <= start);
  }
  return 0;
}
