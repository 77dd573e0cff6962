// expect: unsafe
// error-line: 14

// Both cars may move in one step, the one behind twice as far.

#include <assert.h>

int main(void) {
  int front = 1000, back = 0;

  while (front < 100000) {
    front += 1;
    back += 2;
    assert(back <= front);
  }
  return 0;
}
