// expect: safe

// The test for zero ends the loop before the wrap-around.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned credit = __VERIFIER_nondet_uint();

  if (credit > 500) {
    credit = 500;
  }
  while (credit > 0) {
    credit--;
    assert(credit < 500);
  }
  return 0;
}
