// expect: safe

// The total is whole batches plus what is in the current one.

#include <assert.h>

int main(void) {
  int total = 0, batches = 0, current = 0;

  while (total < 10000) {
    total++;
    current++;
    if (current == 25) {
      current = 0;
      batches++;
    }
  }
  assert(current == 0);
  assert(batches == 400);
  return 0;
}
