// expect: safe

// What stands in the copy came from one element further in the source.

#include <assert.h>

int main(void) {
  int a[1001], b[1000];
  for (int i = 0; i <= 1000; i++) {
    a[i] = 7;
  }
  for (int i = 0; i < 1000; i++) {
    b[i] = a[i + 1] + 1;
  }
  for (int i = 0; i < 1000; i++) {
    assert(b[i] == 8);
  }
  return 0;
}
