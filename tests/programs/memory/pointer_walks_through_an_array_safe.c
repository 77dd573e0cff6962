// expect: safe
// level: slow
// unknown: random (proves nothing)

// The pointer is its array and how far it has come.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[3];
  for (int *p = a; p < a + 3; p++)
    *p = 7;
  int i = __VERIFIER_nondet_int();
  if (i >= 0 && i < 3)
    assert(a[i] == 7);
  return 0;
}
