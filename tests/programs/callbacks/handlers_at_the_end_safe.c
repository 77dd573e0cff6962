// expect: safe
// level: core
// unknown: random (cannot prove)
// unknown: impact (a call that has no formula)
// unknown: predabs (needs invariants to see what is not reached)

// Handlers run when the program ends, the last first, and not where it aborts.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int step, is_open = 1;

static void first(void) {
  assert(step == 1);
  assert(!is_open);
}
static void second(void) {
  assert(step == 0);
  step = 1;
}

int main(void) {
  atexit(first);
  if (__VERIFIER_nondet_int())
    abort();
  atexit(second);
  is_open = 0;
  if (__VERIFIER_nondet_int())
    exit(3);
  return 0;
}
