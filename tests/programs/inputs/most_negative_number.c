// expect: unsafe
// error-line: 11
// level: core

#include <assert.h>
#include <limits.h>
extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
  long long n = __VERIFIER_nondet_longlong();
  assert(n >= -LLONG_MAX);
  return 0;
}
