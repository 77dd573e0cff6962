// expect: unsafe
// error-line: 11
// level: core

#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition) { (void)condition; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 3);
  assert(x > 2);
  return 0;
}
