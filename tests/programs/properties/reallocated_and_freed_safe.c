// expect: safe
// level: core
// property: valid-memtrack
// unknown: random (proves nothing)
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// Nothing is lost, whether `realloc` fails or not.

#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  if (!p)
    return 0;
  char *q = realloc(p, 8);
  free(q ? q : p);
  return 0;
}
