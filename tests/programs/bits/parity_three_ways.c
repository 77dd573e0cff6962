// expect: safe
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// unknown: impact (it does not know bits exactly)
// unknown: predabs (it does not know bits exactly)

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned by_folding(unsigned x) {
  x ^= x >> 16;
  x ^= x >> 8;
  x ^= x >> 4;
  return 0x6996u >> (x & 15) & 1;
}

static unsigned by_counting(unsigned x) {
  unsigned parity = 0;
  for (int i = 0; i < 32; i++)
    parity ^= x >> i & 1;
  return parity;
}

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  assert(by_folding(x) == by_counting(x));
  assert(by_folding(x) == (__builtin_popcount(x) & 1));
  return 0;
}
