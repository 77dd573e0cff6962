// expect: unsafe
// error-line: 9
// level: core

#include <assert.h>

int main(void) {
  unsigned char a = 255, b = 1;
  assert(a + b != 256);
  return 0;
}
