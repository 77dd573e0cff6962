// expect: unsafe
// error-line: 13
// level: core

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n;
  if (__VERIFIER_nondet_int() > 0)
    n = 1;
  int copy = n;
  assert(copy != 0);
  return 0;
}
