// expect: unsafe
// error-line: 11
// level: core
// unknown: random (would have to guess two numbers at once)

#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  assert(a * 3 + b * 7 != 3735928559u || a < b || b < 1000);
  return 0;
}
