// expect: unsafe
// error-line: 14
// level: core

#include <assert.h>

static int tick(void) {
  static int count = 5;
  return count++;
}

int main(void) {
  tick();
  assert(tick() != 6);
  return 0;
}
