// expect: safe

// The second counter starts when the first is at 40, so it lags by exactly 40.

#include <assert.h>

int main(void) {
  int outer = 0, inner = 0;

  while (outer < 4000) {
    if (outer >= 40) {
      inner++;
    }
    outer++;
    assert(outer <= 40 || inner == outer - 40);
  }
  return 0;
}
