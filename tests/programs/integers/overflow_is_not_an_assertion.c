// expect: safe
// level: core
// unknown: random (cannot prove)

// The assertion can only fail after a signed overflow, which is no run of the program at all.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(n + 1 > n);
  return 0;
}
