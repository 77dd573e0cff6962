// expect: safe
// level: core
// unknown: random (it proves nothing)
// What comes behind the loop was taken to be out of reach.

#include <assert.h>

int main(void) {
  int i = 0;
  goto inside;
  while (i < 10) {
    i += 2;
  inside:
    i++;
  }
  assert(i == 10);
}
