// expect: unsafe
// error-line: 10
// level: core

#include <assert.h>

int main(void) {
  int minus = -1;
  unsigned one = 1;
  assert(minus < one);
  return 0;
}
