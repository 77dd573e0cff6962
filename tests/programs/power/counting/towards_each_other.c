// expect: safe

// Two walkers from both ends; the sum of their ways is the whole, so they meet
// in the middle.

#include <assert.h>

int main(void) {
  int north = 0, south = 1000;

  while (north != south) {
    north++;
    south--;
  }
  assert(north == 500);
  return 0;
}
