// expect: unknown
// level: core
// Where nothing defines it, a weak function has no address.

#include <assert.h>

extern int hook(void) __attribute__((weak));

int main(void) {
  assert(hook != 0);
  return 0;
}
