// expect: safe

// A loop made of jumps, with a test in its middle.

#include <assert.h>

int main(void) {
  int fuel = 100, distance = 0;

again:
  if (fuel < 5) {
    goto out;
  }
  fuel -= 5;
  distance += 2;
  goto again;
out:
  assert(distance == 40);
  return 0;
}
