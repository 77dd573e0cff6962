// expect: safe

// The sum of the first counts stays within count * 100 as long as each is at
// most 100.

#include <assert.h>

int main(void) {
  int sum = 0;

  for (int i = 1; i <= 100; i++) {
    sum += i;
    assert(sum <= 100 * i);
  }
  return 0;
}
