// expect: unsafe
// error-line: 14

// Two wards with remainders: the keys 161 and 368 fit both.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned key = __VERIFIER_nondet_uint();

  if (key < 500 && key % 23 == 0) {
    assert(key % 9 != 8);
  }
  return 0;
}
