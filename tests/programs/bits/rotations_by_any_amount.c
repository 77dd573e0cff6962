// expect: safe
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// unknown: impact (it does not know bits exactly)
// unknown: predabs (it does not know bits exactly)

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned left(unsigned x, unsigned by) {
  return x << (by & 31) | x >> (-by & 31);
}

static unsigned right(unsigned x, unsigned by) {
  return x >> (by & 31) | x << (-by & 31);
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), by = __VERIFIER_nondet_uint();
  assert(right(left(x, by), by) == x);
  assert(left(x, by) == right(x, 32 - (by & 31)));
  return 0;
}
