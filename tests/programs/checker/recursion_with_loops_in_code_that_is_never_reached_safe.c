// expect: safe
// level: core
// unknown: random (it finds violations)

// The loop of `count` has a head of its own: that no run comes to the procedure has to be said
// there too.

#include <assert.h>

int count(int n) {
  int left = count(n - 1);
  while (left > 0) {
    left = left - 1;
    assert(left != 3);
  }
  return left;
}

int main(void) {
  unsigned char i = 0;
  while (i < i) {
    count(7);
  }
  return 0;
}
