// expect: safe

// The body runs before the test: the counter is positive at the end.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int limit = __VERIFIER_nondet_int();
  int rounds = 0;

  do {
    rounds++;
  } while (rounds < limit);
  assert(rounds >= 1);
  return 0;
}
