// expect: unsafe
// error-line: 9
// level: core

#include <assert.h>

int main(void) {
  int n = -8;
  assert(n >> 1 != -4);
  return 0;
}
