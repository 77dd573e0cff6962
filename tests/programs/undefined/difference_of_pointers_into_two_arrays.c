// expect: unsafe
// error-line: 12
// level: core

#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  short one[3], two[3];
  short *at = __VERIFIER_nondet_bool() ? one : two;
  long index = at - one;
  assert(0); // reached with a pointer into the first
  return 0;
}
