// expect: unsafe
// error-line: 16
// level: core

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int twice(int n) { return 2 * n; }
static int next(int n) { return n + 1; }

int main(void) {
  int (*table[2])(int) = {twice, next};
  int which = __VERIFIER_nondet_int();
  if (which < 0 || which > 1)
    return 0;
  assert(table[which](5) != 6);
  return 0;
}
