// expect: unsafe
// error-line: 11
// level: core

#include <assert.h>
extern signed char __VERIFIER_nondet_schar(void);

int main(void) {
  signed char x = __VERIFIER_nondet_schar();
  x = x % x;
  assert(x != 0); // it is zero wherever it is defined
  return 0;
}
