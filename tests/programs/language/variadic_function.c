// expect: unsafe
// error-line: 19
// level: core

#include <assert.h>
#include <stdarg.h>

static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  while (count--)
    total += va_arg(list, int);
  va_end(list);
  return total;
}

int main(void) {
  assert(sum(3, 10, 20, 30) != 60);
  return 0;
}
