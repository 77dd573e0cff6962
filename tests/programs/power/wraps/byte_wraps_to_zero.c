// expect: safe

// An unsigned char that only counts up comes back to zero and stays in its
// range.

#include <assert.h>

int main(void) {
  unsigned char tick = 0;
  int seen = 0;

  while (seen < 256) {
    tick++;
    seen++;
  }
  assert(tick == 0);
  return 0;
}
