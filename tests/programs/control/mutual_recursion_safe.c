// expect: safe
// level: core
// unknown: random (cannot prove)
// skip: predabs (what it decides is a matter of time)

#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar();
  assert(even(n) != odd(n));
  return 0;
}
