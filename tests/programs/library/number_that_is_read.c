// expect: unsafe
// error-line: 11
// level: core
// unknown: random (two inputs that fit each other)

#include <assert.h>
#include <stdio.h>
int main(void) {
  int a = 0, b = 0;
  if (scanf("%d %d", &a, &b) == 2)
    assert(a + 7u != (unsigned)b || a != 1000);
  return 0;
}
