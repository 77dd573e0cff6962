// expect: unsafe
// error-line: 10
// level: core

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int parts = 100 / __VERIFIER_nondet_int();
  assert(0); // reached for every divisor but zero
  return 0;
}
