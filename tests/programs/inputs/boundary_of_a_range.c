// expect: unsafe
// error-line: 12
// level: core

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    return 0;
  assert(n < 1000);
  return 0;
}
