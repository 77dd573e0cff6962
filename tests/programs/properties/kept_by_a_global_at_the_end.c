// expect: unsafe
// error-line: 16
// level: core
// property: valid-memcleanup
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// Nothing is lost, but not all is freed.

#include <stdlib.h>

static int *kept;

int main(void) {
  kept = malloc(sizeof *kept);
  return 0;
}
