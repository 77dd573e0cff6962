// expect: safe
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// unknown: impact (it does not know bits exactly)
// unknown: predabs (it does not know bits exactly)

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned by_swapping(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}

static unsigned by_moving(unsigned x) {
  unsigned out = 0;
  for (int i = 0; i < 32; i++) {
    out = out << 1 | (x & 1);
    x >>= 1;
  }
  return out;
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  assert(by_swapping(x) == by_moving(x));
  assert(by_swapping(by_swapping(x)) == x);
  return 0;
}
