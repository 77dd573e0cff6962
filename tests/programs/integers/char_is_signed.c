// expect: unsafe
// error-line: 9
// level: core

#include <assert.h>

int main(void) {
  char c = (char)200;
  assert(c > 0);
  return 0;
}
