// expect: unsafe
// error-line: 25
// level: core
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// Swapping by exclusive or fails where both are one element.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  static int a[100];
  int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
  if (i < 0 || i > 99 || j < 0 || j > 99)
    return 0;
  a[i] = 3;
  a[j] = 4;
  a[i] ^= a[j];
  a[j] ^= a[i];
  a[i] ^= a[j];
  assert(a[i] == 4);
  return 0;
}
