// expect: safe

// The loop is entered in its middle: the second half has run once more than the
// first.

#include <assert.h>

int main(void) {
  int first = 0, second = 0;

  goto middle;
  while (second < 100) {
    first++;
  middle:
    second++;
  }
  assert(second == first + 1);
  return 0;
}
