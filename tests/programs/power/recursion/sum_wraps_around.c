// expect: safe

// The sum of two unsigned numbers, by ones: it wraps around as the sum does.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned add(unsigned n, unsigned m) {
  if (n == 0) {
    return m;
  }
  return add(n - 1, m + 1);
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned m = __VERIFIER_nondet_uint();

  assert(add(n, m) == n + m);
  return 0;
}
