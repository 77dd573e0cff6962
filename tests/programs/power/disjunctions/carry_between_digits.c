// expect: safe

// Two digits of an odometer: the value is what was driven so far, below one
// hundred.

#include <assert.h>

int main(void) {
  int ones = 0, tens = 0, driven = 0;

  while (driven < 99) {
    driven++;
    if (ones == 9) {
      ones = 0;
      tens++;
    } else {
      ones++;
    }
    assert(10 * tens + ones == driven);
  }
  return 0;
}
