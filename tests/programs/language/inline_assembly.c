// expect: unknown
// level: core

#include <assert.h>

int main(void) {
  int n = 1;
  __asm__("incl %0" : "+r"(n));
  assert(n == 2);
  return 0;
}
