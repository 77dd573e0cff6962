// expect: safe

// Each number is the sum of the two before it: none is less than its
// predecessor.

#include <assert.h>

int main(void) {
  int before = 0, now = 1;

  while (now < 1000000) {
    int next = before + now;
    before = now;
    now = next;
    assert(now >= before && before >= 1);
  }
  return 0;
}
