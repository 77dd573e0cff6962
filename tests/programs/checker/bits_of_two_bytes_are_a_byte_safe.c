// expect: safe
// level: core
// unknown: random (it finds violations)
// unknown: gps-paper (needs forward invariants)
// unknown: impact (its formulas allow more than the program does)
// unknown: predabs (formulas allow more than the program does)

#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  int v = n & -4;
  v += n - v;
  if (!(v < n))
    v = 5;
  v -= n | v;
  assert(v >= -250);
  return 0;
}
