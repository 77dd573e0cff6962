// expect: safe

// The window's ends: the low end never passes the high one, nor is it wider
// than eight.

#include <assert.h>

int main(void) {
  int low = 0, high = 0;

  while (high < 1000) {
    if (high - low < 8) {
      high++;
    } else {
      low++;
    }
    assert(0 <= high - low && high - low <= 8);
  }
  return 0;
}
