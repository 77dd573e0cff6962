// expect: unsafe
// error-line: 18

// Two equations have one solution in two inputs.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int tall = __VERIFIER_nondet_int();
  int wide = __VERIFIER_nondet_int();

  if (tall < 0 || tall > 10000 || wide < 0 || wide > 10000) {
    return 0;
  }
  if (tall + wide == 1234) {
    assert(3 * tall - wide != 2222);
  }
  return 0;
}
