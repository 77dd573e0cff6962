// expect: safe

// The function's effect, one up, is found at its call within the loop.

#include <assert.h>

static int successor(int value) { return value + 1; }

int main(void) {
  int i = 0, twice = 0;

  while (i < 700) {
    i = successor(i);
    twice = successor(successor(twice));
  }
  assert(twice == 1400);
  return 0;
}
