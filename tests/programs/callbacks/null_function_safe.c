// expect: safe
// level: core
// unknown: random (cannot prove)

// To call no function is undefined: there is no such run.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int called;
static void call(void) { called = 1; }

int main(void) {
  void (*f)(void) = 0;
  if (__VERIFIER_nondet_int())
    f = call;
  f();
  assert(called);
  return 0;
}
