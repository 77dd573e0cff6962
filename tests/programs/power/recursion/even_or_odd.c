// expect: safe

// Two procedures that call each other: what one says of the parity the other says of its opposite.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int is_odd(int n);

static int is_even(int n) {
  if (n == 0) {
    return 1;
  }
  return is_odd(n - 1);
}

static int is_odd(int n) {
  if (n == 0) {
    return 0;
  }
  return is_even(n - 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();

  if (n >= 0) {
    assert(is_even(n) == (n % 2 == 0));
  }
  return 0;
}
