// expect: unsafe
// error-line: 16

// One counter climbs by three, the other falls by two: they meet far from the
// start.

#include <assert.h>

int main(void) {
  int rising = 0, falling = 500000;

  while (rising < falling) {
    rising += 3;
    falling -= 2;
  }
  assert(rising != falling);
  return 0;
}
