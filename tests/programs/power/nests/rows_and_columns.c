// expect: safe

// Each inner loop ends at the width, so what is counted is a multiple of it.

#include <assert.h>

int main(void) {
  int cells = 0;

  for (int row = 0; row < 7; row++) {
    for (int column = 0; column < 9; column++) {
      cells++;
    }
  }
  assert(cells == 63);
  return 0;
}
