// expect: unsafe
// error-line: 18
// level: core

#include <assert.h>

static int calls;

static int yes(void) {
  calls++;
  return 1;
}

int main(void) {
  int a = 0 && yes();
  int b = 1 || yes();
  int c = yes() && !yes();
  assert(a + b + c + calls != 3);
  return 0;
}
