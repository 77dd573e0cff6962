// expect: safe

// The side is bounded, so the area is.

#include <assert.h>

int main(void) {
  int side = 1;

  while (side < 10) {
    side++;
  }
  assert(side * side == 100);
  return 0;
}
