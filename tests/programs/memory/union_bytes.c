// expect: unsafe
// error-line: 12
// level: core

#include <assert.h>

int main(void) {
  union {
    unsigned word;
    unsigned char bytes[4];
  } u = {0x01020304};
  assert(u.bytes[0] != 4);
  return 0;
}
