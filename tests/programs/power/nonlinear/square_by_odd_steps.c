// expect: safe

// Beside the count its square, kept by adding odd numbers.

#include <assert.h>

int main(void) {
  int count = 0, square = 0;

  while (count < 12) {
    square += 2 * count + 1;
    count++;
    assert(square == count * count);
  }
  return 0;
}
