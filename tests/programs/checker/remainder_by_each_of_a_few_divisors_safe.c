// expect: safe
// level: core
// unknown: random (it finds violations)
// unknown: gps-paper (needs forward invariants)
// unknown: impact (its formulas allow more than the program does)
// unknown: predabs (formulas allow more than the program does)

#include <assert.h>

int main(void) {
  signed char divisor = 30;
  short sum = 400;
  int i = 0;
  do {
    divisor += (sum != i);
    sum += sum % divisor;
    i += 2;
  } while (i < 3);
  assert(sum == 440);
  return 0;
}
