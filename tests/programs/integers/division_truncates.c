// expect: unsafe
// error-line: 9
// level: core

#include <assert.h>

int main(void) {
  int a = -7, b = 2;
  assert(a / b != -3 || a % b != -1);
  return 0;
}
