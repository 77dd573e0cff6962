// expect: safe

// The step grows by two each time: the sum of the first odd numbers is a
// square.

#include <assert.h>

int main(void) {
  int step = 1, sum = 0, count = 0;

  while (count < 40) {
    sum += step;
    step += 2;
    count++;
  }
  assert(sum == 1600);
  return 0;
}
