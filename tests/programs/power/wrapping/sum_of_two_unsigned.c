// expect: unsafe
// error-line: 15

// The sum of two large inputs wraps and passes the test for the limit.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned length = __VERIFIER_nondet_uint();
  unsigned offset = __VERIFIER_nondet_uint();

  if (offset + length <= 4096u) {
    assert(offset <= 4096u);
  }
  return 0;
}
