// expect: safe

// The second loop takes pairs from what the first has counted: at most one is
// left.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int guests = 0, pairs = 0;

  while (guests < 100000 && __VERIFIER_nondet_int()) {
    guests++;
  }
  while (guests >= 2) {
    guests -= 2;
    pairs++;
  }
  assert(guests == 0 || guests == 1);
  assert(pairs <= 50000);
  return 0;
}
