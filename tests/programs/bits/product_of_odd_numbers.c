// expect: safe
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// unknown: impact (it does not know bits exactly)
// unknown: predabs (it does not know bits exactly)

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

/* Each step doubles the bits in which x times its inverse is one. */
static unsigned inverse(unsigned x) {
  unsigned y = x;
  for (int i = 0; i < 3; i++)
    y *= 2 - x * y;
  return y;
}

int main(void) {
  unsigned x = (__VERIFIER_nondet_uint() & 0xff) | 1;
  assert(x * inverse(x) % 4096 == 1);
  return 0;
}
