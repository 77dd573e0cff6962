// expect: unsafe
// error-line: 18
// level: core
// property: valid-memcleanup
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// Freed on one way to the end, and not on the other.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void stop(int *p) {
  if (*p == 7)
    exit(1);
}

int main(void) {
  int *p = malloc(sizeof *p);
  *p = __VERIFIER_nondet_int();
  stop(p);
  free(p);
  return 0;
}
