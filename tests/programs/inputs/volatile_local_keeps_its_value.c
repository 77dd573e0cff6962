// expect: safe
// level: core
// unknown: random (it proves nothing)

#include <assert.h>
int main(void) {
  volatile int x = 3;
  assert(x == 3);
  return 0;
}
