// expect: safe

// The step is taken before the test, so the end is one step past the last
// multiple.

#include <assert.h>

int main(void) {
  int angle = 0;

  do {
    angle += 15;
  } while (angle < 360);
  assert(angle == 360);
  return 0;
}
