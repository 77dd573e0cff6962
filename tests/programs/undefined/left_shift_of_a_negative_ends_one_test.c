// expect: unsafe
// error-line: 11
// level: core

#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  signed char c = __VERIFIER_nondet_uchar() - 7;
  c <<= 3;
  assert(0); // reached for every c that is not negative
  return 0;
}
