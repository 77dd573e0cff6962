// expect: safe
// level: core
// unknown: random (proves nothing)

// A store through a pointer to one of two objects changes one of them for certain.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = 1, y = 2;
  int *p = __VERIFIER_nondet_int() ? &x : &y;
  *p = 5;
  assert(x == 5 || y == 5);
  assert(x + y != 10);
  return 0;
}
