// expect: unsafe
// error-line: 10
// level: core

#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int zeros = __builtin_clz(__VERIFIER_nondet_uint() & 6);
  assert(0);
  return 0;
}
