// expect: unsafe
// error-line: 15
// level: core

#include <assert.h>

struct flags {
  unsigned low : 3;
  int high : 3;
};

int main(void) {
  struct flags f = {9, 0};
  f.high = 5;
  assert(f.low != 1 || f.high != -3);
  return 0;
}
