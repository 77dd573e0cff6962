// expect: safe
// level: core
// unknown: random (proves nothing)
// skip: gps* (all its runs decide it; what formulas make of it is another matter)
// skip: cra (as gps)
// unknown: impact (its formulas allow more than the program does)
// unknown: predabs (it does not know memory or bits exactly)

// 256 runs: reversing the bits of a byte twice gives the byte.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char reversed[256];

static unsigned char reverse(unsigned char byte) {
  unsigned char result = 0;
  for (int i = 0; i < 8; i++)
    if (byte & 1 << i)
      result |= 0x80 >> i;
  return result;
}

int main(void) {
  unsigned char byte = __VERIFIER_nondet_uchar();
  reversed[byte] = reverse(byte);
  assert(reverse(reversed[byte]) == byte);
  return 0;
}
