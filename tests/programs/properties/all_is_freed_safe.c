// expect: safe
// level: core
// property: valid-memcleanup
// unknown: random (proves nothing)
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// A handler frees at the end of `main` and at `exit`; a failed assumption is no end of the program.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

static int *kept;

static void free_all(void) {
  free(kept);
}

int main(void) {
  atexit(free_all);
  kept = malloc(sizeof *kept);
  *kept = __VERIFIER_nondet_int();
  __VERIFIER_assume(*kept != 3);
  if (*kept == 7)
    exit(1);
  int *other = realloc(kept, 2 * sizeof *kept);
  if (!other)
    return 1;
  kept = other;
  return 0;
}
