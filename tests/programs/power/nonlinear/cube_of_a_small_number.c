// expect: safe

// A cube grown by differences of differences.

#include <assert.h>

int main(void) {
  int n = 0, cube = 0;

  while (n < 9) {
    cube += 3 * n * n + 3 * n + 1;
    n++;
  }
  assert(cube == 729);
  return 0;
}
