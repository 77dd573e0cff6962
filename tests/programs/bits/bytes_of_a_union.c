// expect: safe
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// unknown: impact (it does not know bits exactly)
// unknown: predabs (it does not know bits exactly)

#include <assert.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

union word {
  unsigned whole;
  unsigned char bytes[4];
};

int main(void) {
  union word word, turned;
  word.whole = __VERIFIER_nondet_uint();
  for (int i = 0; i < 4; i++)
    turned.bytes[3 - i] = word.bytes[i];
  assert(turned.whole == __builtin_bswap32(word.whole));
  unsigned copy = 0;
  memcpy(&copy, word.bytes, sizeof copy);
  assert(copy == word.whole);
  return 0;
}
