// expect: unsafe
// error-line: 14
// level: core

#include <assert.h>

int main(void) {
  unsigned char n = 250;
  n += 10;
  int m = 7;
  m <<= 2;
  m ^= 1;
  m -= n;
  assert(m != 25);
  return 0;
}
