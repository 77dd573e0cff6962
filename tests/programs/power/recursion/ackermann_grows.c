// expect: safe

// Ackermann's function is greater than its second argument, by two calls in one.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int ackermann(int m, int n) {
  if (m == 0) {
    return n + 1;
  }
  if (n == 0) {
    return ackermann(m - 1, 1);
  }
  return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void) {
  int m = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();

  if (m >= 0 && m <= 3 && n >= 0 && n <= 20) {
    int r = ackermann(m, n);
    assert(r > n && r > m);
  }
  return 0;
}
