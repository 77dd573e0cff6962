// expect: unsafe
// error-line: 20
// level: core
// property: valid-deref
// failing-alloc: all
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// All allocations may fail, and one result is not looked at.

#include <stdlib.h>

int main(void) {
  int *a = malloc(sizeof *a);
  int *b = calloc(1, sizeof *b);
  if (a)
    *a = 1;
  *b = 2;
  free(a);
  free(b);
  return 0;
}
