// expect: unsafe
// error-line: 19
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char left(unsigned char x, unsigned by) {
  return (unsigned char)(x << by | x >> (7 - by));
}

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  unsigned by = __VERIFIER_nondet_uchar() & 7;
  assert(left(left(x, by), 7 - by) == x);
  return 0;
}
