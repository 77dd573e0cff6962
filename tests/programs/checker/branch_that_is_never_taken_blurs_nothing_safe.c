// expect: safe
// level: core
// unknown: random (it finds violations)
// unknown: gps-paper (needs forward invariants)
// unknown: impact (its formulas allow more than the program does)
// unknown: predabs (formulas allow more than the program does)

#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() & 7;
  int set = 36, others = 0;
  if (set == 1)
    ++others;
  unsigned char v = (set + 2) | (n << 7);
  assert(v != 129);
  return 0;
}
