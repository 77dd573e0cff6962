// expect: unsafe
// error-line: 12
// level: core

#include <assert.h>

#define MAX(a, b) ({ __typeof__(a) left = (a), right = (b); left > right ? left : right; })

int main(void) {
  int n = 3;
  int m = MAX(n++, 2);
  assert(m != 3 || n != 4);
  return 0;
}
