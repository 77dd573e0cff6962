// expect: safe

// A common divisor by subtraction is no greater than either number.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int divisor(int a, int b) {
  if (a == b) {
    return a;
  }
  if (a > b) {
    return divisor(a - b, b);
  }
  return divisor(a, b - a);
}

int main(void) {
  int a = __VERIFIER_nondet_int();
  int b = __VERIFIER_nondet_int();

  if (a > 0 && b > 0) {
    int d = divisor(a, b);
    assert(d >= 1 && d <= a && d <= b);
  }
  return 0;
}
