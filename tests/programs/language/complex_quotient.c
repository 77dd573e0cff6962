// expect: unknown
// level: core
// The last bits of a quotient of complex numbers depend on the compiler's library.

#include <assert.h>

int main(void) {
  double _Complex z = 3.0 + 2.0i;
  z = 1.0 / z;
  assert(__real__ z > 0.0);
  return 0;
}
