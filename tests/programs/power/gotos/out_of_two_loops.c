// expect: safe

// A jump out of two loops keeps the indices as they were.

#include <assert.h>

int main(void) {
  int i, j = 0;

  for (i = 0; i < 20; i++) {
    for (j = 0; j < 20; j++) {
      if (i + j == 25) {
        goto found;
      }
    }
  }
  return 0;
found:
  assert(i + j == 25 && i >= 6);
  return 0;
}
