// expect: safe
// level: core
// unknown: random (it proves nothing)
// An alias, and a name for the assembler, stand for another function.

#include <assert.h>

int original(void) { return 3; }
int other(void) __attribute__((alias("original")));
int third(void) __asm__("original");

int main(void) {
  assert(other() == 3 && third() == 3);
  return 0;
}
