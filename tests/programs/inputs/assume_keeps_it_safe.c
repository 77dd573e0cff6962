// expect: safe
// level: core
// unknown: random (cannot prove)

#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
static void assume_abort_if_not(int condition) {
  if (!condition)
    abort();
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  assume_abort_if_not(n > 10);
  assert(n > 5);
  return 0;
}
