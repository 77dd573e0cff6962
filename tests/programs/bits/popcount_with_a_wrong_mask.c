// expect: unsafe
// error-line: 26
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// unknown: predabs (it does not know bits exactly)
// skip: impact (finds it, in more than a second)

#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

static unsigned by_sums(unsigned x) {
  x = x - (x >> 1 & 0x5555u);
  x = (x & 0x3333u) + (x >> 2 & 0x3333u);
  x = (x + (x >> 4)) & 0x0f07u;
  return (x + (x >> 8)) & 31;
}

int main(void) {
  unsigned x = __VERIFIER_nondet_ushort();
  unsigned count = 0;
  for (int i = 0; i < 16; i++)
    count += x >> i & 1;
  assert(by_sums(x) == count);
  return 0;
}
