// expect: safe
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// skip: impact (a choice for every bit: more paths than fit into a second)
// skip: predabs (a choice for every bit: more paths than fit into a second)

#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

static unsigned by_clearing(unsigned x) {
  unsigned count = 0;
  for (; x; count++)
    x &= x - 1;
  return count;
}

static unsigned by_sums(unsigned x) {
  x = x - (x >> 1 & 0x5555u);
  x = (x & 0x3333u) + (x >> 2 & 0x3333u);
  x = (x + (x >> 4)) & 0x0f0fu;
  return (x + (x >> 8)) & 31;
}

int main(void) {
  unsigned x = __VERIFIER_nondet_ushort() & 0x3ff;
  assert(by_clearing(x) == by_sums(x));
  return 0;
}
