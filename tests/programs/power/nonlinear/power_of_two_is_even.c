// expect: safe

// From the first doubling on the number is even.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned size = 1;
  int doublings = 0;

  while (doublings < 20 && __VERIFIER_nondet_int()) {
    size *= 2;
    doublings++;
  }
  assert(doublings == 0 || size % 2 == 0);
  return 0;
}
