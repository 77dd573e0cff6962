// expect: safe
// level: core
// unknown: gps* (a text is memory, which its formulas do not speak of)
// unknown: cra (a text is memory, which its formulas do not speak of)
// unknown: impact (a text is memory, which its formulas do not speak of)
// unknown: predabs (a text is memory, which its formulas do not speak of)
// unknown: random (cannot prove)

#include <assert.h>
#include <stdlib.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  char text[3];
  unsigned char tens = __VERIFIER_nondet_uchar(), ones = __VERIFIER_nondet_uchar();
  if (tens > 9 || ones > 9)
    return 0;
  text[0] = '0' + tens;
  text[1] = '0' + ones;
  text[2] = 0;
  assert(atoi(text) == 10 * tens + ones);
  return 0;
}
