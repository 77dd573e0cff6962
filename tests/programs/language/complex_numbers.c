// expect: unknown
// level: core
// Complex numbers are read, and not modelled.

#include <assert.h>

int main(void) {
  double _Complex z = 3.0 + 2.0i;
  assert(__real__ z == 3.0);
  return 0;
}
