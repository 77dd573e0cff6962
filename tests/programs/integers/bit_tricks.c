// expect: unsafe
// error-line: 12
// level: core

#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  // True of powers of two, but also of zero.
  if ((n & (n - 1)) == 0)
    assert(n != 0);
  return 0;
}
