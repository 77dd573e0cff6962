// expect: safe
// level: core
// unknown: random (cannot prove)

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int positive(int n) { return n < 0 ? 0 : n; }
static int small(int n) { return n % 10; }
static int apply(int (*f)(int), int n) { return f(n); }

int main(void) {
  while (__VERIFIER_nondet_int()) {
    int n = __VERIFIER_nondet_int();
    assert(apply(positive, n) >= 0);
    int m = apply(n > 5 ? small : positive, n);
    assert(m >= 0);
    assert(n <= 5 || m < 10);
  }
  return 0;
}
