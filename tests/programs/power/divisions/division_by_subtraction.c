// expect: safe

// Division by repeated subtraction: quotient * 12 + rest is the number.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned number = __VERIFIER_nondet_uint();
  unsigned quotient = 0, rest = number;

  while (rest >= 12) {
    rest -= 12;
    quotient++;
  }
  assert(quotient * 12 + rest == number && rest < 12);
  return 0;
}
