// expect: safe
// level: core
// unknown: random (it proves nothing)

#include <assert.h>
int __VERIFIER_nondet_int(void) { return 5; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x == 5);
  return 0;
}
