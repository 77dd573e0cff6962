// expect: unsafe
// error-line: 10
// level: core
// What is not modelled counts only where a run gets to it.

#include <assert.h>

int main(void) {
  int n = 4;
  assert(n != 4);
  double _Complex z = 1.0i;
  return 1.0 / z == 0;
}
