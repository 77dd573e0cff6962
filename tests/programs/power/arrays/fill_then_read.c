// expect: safe

// Every element is set by the first loop, so that the second finds no other
// value.

#include <assert.h>

int main(void) {
  int table[5];

  for (int i = 0; i < 5; i++) {
    table[i] = 3 * i;
  }
  for (int i = 0; i < 5; i++) {
    assert(table[i] == 3 * i);
  }
  return 0;
}
