// expect: safe

// Two cells, one after the other.

#include <assert.h>

int main(void) {
  int a[3000];
  for (int i = 0; i < 3000; i++) {
    a[i] = 2 * i;
  }
  for (int i = 0; i + 1 < 3000; i++) {
    assert(a[i] <= a[i + 1]);
  }
  return 0;
}
