// expect: unsafe
// error-line: 9
// level: core

#include <assert.h>
#include <time.h>
int main(void) {
  time_t t = 0;
  time(&t); assert(t == 0);
  return 0;
}
