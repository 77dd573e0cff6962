// expect: unsafe
// error-line: 14
// level: core
// property: valid-memtrack
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// Where `realloc` fails, the old object lives on, and nothing points to it any more.

#include <stdlib.h>

int main(void) {
  char *p = malloc(4);
  if (!p)
    return 0;
  p = realloc(p, 8);
  free(p);
  return 0;
}
