// expect: unsafe
// error-line: 12
// level: core

#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  long kept = 4;
  long *where = __VERIFIER_nondet_bool() ? &kept : 0;
  *where = 5;
  assert(0);
  return 0;
}
