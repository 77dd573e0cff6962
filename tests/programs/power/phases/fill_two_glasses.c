// expect: safe

// The first glass is filled before the second: the second is empty unless the
// first is full.

#include <assert.h>

int main(void) {
  int first = 0, second = 0;

  while (second < 30) {
    if (first < 20) {
      first++;
    } else {
      second++;
    }
    assert(second == 0 || first == 20);
  }
  return 0;
}
