// expect: unsafe
// error-line: 12
// level: core

#include <assert.h>

int main(void) {
  int n = 0;
  do
    n++;
  while (n < 0);
  assert(n == 0);
  return 0;
}
