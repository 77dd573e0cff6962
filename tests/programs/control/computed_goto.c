// expect: unsafe
// error-line: 14
// level: core

#include <assert.h>

int main(void) {
  void *next[] = {&&first, &&second};
  int at = 1;
  goto *next[at];
first:
  return 0;
second:
  assert(at == 0);
  return 1;
}
