// expect: unsafe
// error-line: 10
// level: core

#include <assert.h>

int main(void) {
  unsigned n = 0;
  n--;
  assert(n != 4294967295u);
  return 0;
}
