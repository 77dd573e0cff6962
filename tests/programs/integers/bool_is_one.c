// expect: unsafe
// error-line: 11
// level: core

#include <assert.h>
#include <stdbool.h>

int main(void) {
  bool b = 256;
  b += 5;
  assert(b != 1);
  return 0;
}
