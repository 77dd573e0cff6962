// expect: unsafe
// error-line: 19
// level: core
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// A byte that `malloc` gives and nothing sets.

#include <assert.h>
#include <stdlib.h>

int main(void) {
  unsigned char *p = malloc(4);
  if (!p)
    return 0;
  p[0] = p[1] = p[2] = 0;
  assert(p[3] == 0);
  free(p);
  return 0;
}
