// expect: unsafe
// error-line: 12
// level: core

#include <assert.h>

int main(void) {
  const char *text = "ca" "irn";
  int length = 0;
  while (*text++)
    length++;
  assert(length != 5);
  return 0;
}
