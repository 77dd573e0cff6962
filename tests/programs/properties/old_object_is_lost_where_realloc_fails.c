// expect: unsafe
// error-line: 20
// level: core
// property: valid-memtrack
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// As allocation never fails here, the program says itself that it may: the old object lives on then.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void *resized(void *p, unsigned long size) {
  return __VERIFIER_nondet_int() ? realloc(p, size) : 0;
}

int main(void) {
  char *p = malloc(4);
  if (!p)
    return 0;
  p = resized(p, 8);
  free(p);
  return 0;
}
