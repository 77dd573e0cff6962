// expect: safe
// level: core
// unknown: gps* (memory that is allocated has no formula)
// unknown: impact (memory that is allocated has no formula)
// unknown: cra (memory that is allocated has no formula)
// unknown: predabs (memory that is allocated has no formula)
// unknown: random (cannot prove)

// CBMC's allocation needs no declaration and returns an address.
#include <assert.h>

int main(void) {
  int *p = __CPROVER_allocate(2 * sizeof(int), 1);
  assert(p && p[0] == 0 && p[1] == 0);
  p[1] = 3;
  assert(p[0] == 0);
}
