// expect: safe
// level: core
// unknown: random (it finds violations)

#include <assert.h>

int main(void) {
  int minus = -1;
  int *p = &minus;
  unsigned char x = (unsigned char)(*p + (*p - *p));
  for (unsigned i = 5; i > 0; i--) {
  }
  assert(x >= 250);
  return 0;
}
