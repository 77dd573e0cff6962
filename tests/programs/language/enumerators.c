// expect: unsafe
// error-line: 11
// level: core

#include <assert.h>

enum colour { RED, GREEN = 5, BLUE };

int main(void) {
  enum colour c = BLUE;
  assert(c != 6);
  return 0;
}
