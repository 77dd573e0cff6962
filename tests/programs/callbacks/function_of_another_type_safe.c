// expect: safe
// level: core
// unknown: random (cannot prove)

// A call through a pointer of another type is undefined: there is no such run.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int same(int n) { return n; }
static int one(void) { return 1; }

int main(void) {
  int (*f)(void) = __VERIFIER_nondet_int() ? (int (*)(void))same : one;
  assert(f() == 1);
  return 0;
}
