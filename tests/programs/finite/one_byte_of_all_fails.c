// expect: unsafe
// error-line: 23
// level: core
// skip: gps* (all its runs decide it; what formulas make of it is another matter)
// skip: cra (as gps)
// unknown: impact (its formulas allow more than the program does)
// unknown: predabs (it does not know memory or bits exactly)

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char rotate(unsigned char byte, int by) {
  return (unsigned char)(byte << by | byte >> (8 - by));
}

int main(void) {
  unsigned char key[4] = {7, 77, 177, 27};
  unsigned char byte = __VERIFIER_nondet_uchar();
  unsigned char mixed = byte;
  for (int i = 0; i < 4; i++)
    mixed = rotate(mixed ^ key[i], i + 1);
  assert(mixed != 42);
  return 0;
}
