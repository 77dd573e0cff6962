// expect: unknown
// level: core

#include <assert.h>

int main(void) {
  for (int i = 0; i < 2; i++) {
    int a[2];
    if (i == 0)
      a[0] = 1;
    a[1] = 2;
    assert(i == 0 || a[0] == 0);
  }
  return 0;
}
