// expect: unsafe
// error-line: 12
// level: core
// unknown: impact (a text is memory, which its formulas do not speak of)

#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *end = 0;
  long n = strtol("12x", &end, 10);
  assert(n == 12 && end);
  assert(*end != 'x');
  return 0;
}
