// expect: safe
// level: core

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
  unsigned sum = 0, y = 0;
  while (y < n) {
    sum = sum + x;
    y = y + 1;
  }
  assert(sum == x * y);
  return 0;
}
