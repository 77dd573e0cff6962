// expect: safe
// level: core
// unknown: random (proves nothing)

// The pointer is its array and how far it has come.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[4], b[4];
  int *start = __VERIFIER_nondet_int() ? a : b;
  for (int *p = start; p < start + 4; p++)
    *p = 7;
  int i = __VERIFIER_nondet_int();
  if (i >= 0 && i < 4)
    assert(start[i] == 7);
  return 0;
}
