// expect: unsafe
// error-line: 8
// level: core

#include <assert.h>

int main(void) {
  assert(0);
  return 0;
}
