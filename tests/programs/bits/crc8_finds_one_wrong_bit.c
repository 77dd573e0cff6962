// expect: safe
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// skip: impact (a choice for every bit: more paths than fit into a second)
// skip: predabs (a choice for every bit: more paths than fit into a second)

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char crc8(const unsigned char *data, int length) {
  unsigned char crc = 0;
  for (int i = 0; i < length; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      crc = (unsigned char)(crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1);
  }
  return crc;
}

int main(void) {
  unsigned char data[2];
  data[0] = __VERIFIER_nondet_uchar();
  data[1] = __VERIFIER_nondet_uchar();
  unsigned char before = crc8(data, 2);
  unsigned char bit = __VERIFIER_nondet_uchar() & 15;
  data[bit / 8] ^= (unsigned char)(1 << bit % 8);
  assert(crc8(data, 2) != before);
  return 0;
}
