// expect: unsafe
// error-line: 11
// level: core
// skip: predabs (what it decides is a matter of time)

#include <assert.h>

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main(void) {
  assert(fibonacci(15) != 610);
  return 0;
}
