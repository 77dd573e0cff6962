// expect: safe
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// unknown: impact (it does not know bits exactly)
// unknown: predabs (it does not know bits exactly)

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static unsigned digit(char c) {
  if (c >= 'A' && c <= 'Z')
    return (unsigned)(c - 'A');
  if (c >= 'a' && c <= 'z')
    return (unsigned)(c - 'a' + 26);
  if (c >= '0' && c <= '9')
    return (unsigned)(c - '0' + 52);
  return c == '+' ? 62 : 63;
}

int main(void) {
  unsigned in = 0, out = 0;
  char text[4];
  for (int i = 0; i < 3; i++)
    in = in << 8 | __VERIFIER_nondet_uchar();
  for (int i = 0; i < 4; i++)
    text[i] = digits[in >> (18 - 6 * i) & 63];
  for (int i = 0; i < 4; i++)
    out = out << 6 | digit(text[i]);
  assert(in == out);
  return 0;
}
