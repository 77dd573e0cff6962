// expect: unsafe
// error-line: 11
// level: core

#include <assert.h>

int main(void) {
  double third = 1.0 / 3, sum = 0;
  for (int i = 0; i < 10; i++)
    sum += 0.1;
  assert(sum == 1.0 || (int)(third * 9) != 3);
  return 0;
}
