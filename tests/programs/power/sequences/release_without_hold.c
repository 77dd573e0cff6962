// expect: unsafe
// error-line: 20

// The lock is released on a path on which it was never taken.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int held = 0, rounds = 0;

  while (rounds < 10) {
    int wanted = __VERIFIER_nondet_int();
    if (wanted > 0) {
      held = 1;
    }
    rounds++;
    if (wanted > 0 || rounds == 9) {
      assert(held == 1);
      held = 0;
    }
  }
  return 0;
}
