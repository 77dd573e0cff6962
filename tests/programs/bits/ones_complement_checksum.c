// expect: safe
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// unknown: impact (it does not know bits exactly)
// unknown: predabs (it does not know bits exactly)

#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

static unsigned short sum(const unsigned short *words, int count) {
  unsigned total = 0;
  while (count-- > 0)
    total += *words++;
  while (total >> 16)
    total = (total & 0xffff) + (total >> 16);
  return (unsigned short)~total;
}

int main(void) {
  unsigned short words[4];
  for (int i = 0; i < 3; i++)
    words[i] = __VERIFIER_nondet_ushort();
  words[3] = sum(words, 3);
  assert(sum(words, 4) == 0);
  return 0;
}
