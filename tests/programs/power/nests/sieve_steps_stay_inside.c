// expect: safe

// Multiples of the outer number, up to a limit: the inner index stays a
// multiple within bounds.

#include <assert.h>

int main(void) {
  for (int step = 2; step <= 5; step++) {
    for (int at = 2 * step; at <= 50; at += step) {
      assert(at > step && at <= 50);
    }
  }
  return 0;
}
