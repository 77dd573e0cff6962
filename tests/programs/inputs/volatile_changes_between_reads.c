// expect: unsafe
// error-line: 9
// level: core

#include <assert.h>
volatile int status;
int main(void) {
  int first = status;
  assert(status == first);
  return 0;
}
