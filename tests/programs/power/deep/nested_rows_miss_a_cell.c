// expect: unsafe
// error-line: 18

// The inner loop leaves out one cell in the last row.

#include <assert.h>

int main(void) {
  int cells = 0;

  for (int row = 0; row < 200; row++) {
    for (int column = 0; column < 300; column++) {
      if (row != 199 || column != 299) {
        cells++;
      }
    }
  }
  assert(cells == 60000);
  return 0;
}
