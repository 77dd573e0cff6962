// expect: unsafe
// error-line: 14
// level: core

#include <assert.h>

struct pair {
  int a, b;
};

int main(void) {
  int list[6] = {[4] = 9, 8};
  struct pair p = {.b = 3};
  assert(list[4] + list[5] + list[0] + p.a + p.b != 20);
  return 0;
}
