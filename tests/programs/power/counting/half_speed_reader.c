// expect: safe

// The slow reader has read half: fast == 2 * slow.

#include <assert.h>

int main(void) {
  int fast = 0, slow = 0;

  while (fast < 1000) {
    fast += 2;
    slow++;
  }
  assert(slow == 500);
  return 0;
}
