// expect: safe
// level: core
// unknown: gps*, impact, cra, predabs, random (memory that is allocated has no formula)

// CBMC's allocation needs no declaration and returns an address.
#include <assert.h>

int main(void) {
  int *p = __CPROVER_allocate(2 * sizeof(int), 1);
  assert(p && p[0] == 0 && p[1] == 0);
  p[1] = 3;
  assert(p[0] == 0);
}
