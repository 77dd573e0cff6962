// expect: unsafe
// error-line: 12
// level: core

#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int is_open;

static void check(void) {
  assert(!is_open);
}

int main(void) {
  atexit(check);
  is_open = 1;
  if (__VERIFIER_nondet_int() == 42)
    exit(0);
  is_open = 0;
  return 0;
}
