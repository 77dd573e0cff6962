// expect: safe

// Every number has at least one digit, and one of 32 bits has at most ten.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned number = __VERIFIER_nondet_uint();
  int digits = 0;

  do {
    digits++;
    number /= 10;
  } while (number != 0 && digits < 10);
  assert(digits >= 1 && digits <= 10);
  return 0;
}
