// expect: safe
// level: core
// property: valid-memtrack
// failing-alloc: none
// unknown: random (proves nothing)
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// Where allocation succeeds, nothing is lost.

#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  if (!p)
    return 0;
  p = realloc(p, 8);
  free(p);
  return 0;
}
