// expect: unsafe
// error-line: 11
// level: core

#include <assert.h>

int ready;
__attribute__((constructor)) static void start(void) { ready = 5; }

int main(void) {
  assert(ready != 5);
  return 0;
}
