// expect: unsafe
// error-line: 11
// level: core

#include <assert.h>

int main(void) {
  int a[3] = {1, 2, 3}, i = 0;
  int x = a[i++];
  int y = a[++i];
  assert(x != 1 || y != 3 || i != 2);
  return 0;
}
