// expect: unsafe
// error-line: 11
// level: core

#include <assert.h>

int main(void) {
  int a = 1, b = (a++, a * 10);
  int c = a == 2 ? b : 0;
  int d = c ?: 7;
  assert(d != 20);
  return 0;
}
