// expect: unsafe
// error-line: 16
// level: core

#include <assert.h>

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

int main(void) {
  int x = 1, y = 2;
  swap(&x, &y);
  assert(x == 1);
  return 0;
}
