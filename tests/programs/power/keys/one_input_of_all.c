// expect: unsafe
// error-line: 13

// One input of 2^32 opens, through a linear function of it.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned key = __VERIFIER_nondet_uint();

  assert(key * 3u + 17u != 123456789u);
  return 0;
}
