// expect: unsafe
// error-line: 11
// level: core

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(__builtin_add_overflow_p(x, 1, (signed char)0) == (x < -129 || x > 127));
  return 0;
}
