// expect: safe

// What the inner loop takes the second inner loop gives back.

#include <assert.h>

int main(void) {
  int stock = 10;

  for (int day = 0; day < 365; day++) {
    while (stock > 0) {
      stock--;
    }
    while (stock < 10) {
      stock++;
    }
  }
  assert(stock == 10);
  return 0;
}
