// expect: unsafe
// error-line: 10
// level: core

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  assert(n != 123456789);
  return 0;
}
