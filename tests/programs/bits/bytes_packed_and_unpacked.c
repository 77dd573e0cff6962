// expect: safe
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// unknown: impact (it does not know bits exactly)
// unknown: predabs (it does not know bits exactly)

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned pack(const unsigned char *bytes) {
  return (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3];
}

int main(void) {
  unsigned char in[4], out[4];
  for (int i = 0; i < 4; i++)
    in[i] = __VERIFIER_nondet_uchar();
  unsigned word = pack(in);
  for (int i = 0; i < 4; i++)
    out[i] = (unsigned char)(word >> (24 - 8 * i));
  for (int i = 0; i < 4; i++)
    assert(in[i] == out[i]);
  return 0;
}
