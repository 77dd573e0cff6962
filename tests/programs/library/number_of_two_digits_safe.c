// expect: safe
// level: core

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
