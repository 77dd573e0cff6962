// expect: safe

// The callee writes through a pointer to one of the caller's variables.

#include <assert.h>

static void advance(int *position, int *steps) {
  *position += 2;
  *steps += 1;
}

int main(void) {
  int position = 0, steps = 0;

  while (position < 128) {
    advance(&position, &steps);
  }
  assert(steps == 64);
  return 0;
}
