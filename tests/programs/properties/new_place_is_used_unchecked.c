// expect: unsafe
// error-line: 20
// level: core
// property: valid-deref
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// `realloc` may fail, and `a` is null then.

#include <stdlib.h>

int main(void) {
  int *a = malloc(2 * sizeof *a);
  if (!a)
    return 0;
  a[0] = 1;
  a = realloc(a, 4 * sizeof *a);
  a[3] = a[0];
  free(a);
  return 0;
}
