// expect: unsafe
// error-line: 31
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// skip: impact (a choice for every bit: more paths than fit into a second)
// skip: predabs (a choice for every bit: more paths than fit into a second)

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char crc8(unsigned char high, unsigned char low) {
  unsigned char crc = 0;
  unsigned char data[2] = {high, low};
  for (int i = 0; i < 2; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      crc = (unsigned char)(crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1);
  }
  return crc;
}

int main(void) {
  unsigned char high = __VERIFIER_nondet_uchar(), low = __VERIFIER_nondet_uchar();
  unsigned char wrong = __VERIFIER_nondet_uchar();
  if (wrong == 0 || high == 0)
    return 0;
  /* Another byte in front can be made up for behind. */
  assert(crc8(high, low) != crc8(0, low ^ wrong));
  return 0;
}
