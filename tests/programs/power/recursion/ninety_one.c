// expect: safe

// McCarthy's function: the result of the inner call is only known by what the outer one returns.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int ninety_one(int n) {
  if (n > 100) {
    return n - 10;
  }
  return ninety_one(ninety_one(n + 11));
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  int r = ninety_one(n);

  assert(r == 91 || (n > 101 && r == n - 10));
  return 0;
}
