// expect: safe
// level: core
// property: valid-memtrack
// unknown: random (proves nothing)
// unknown: bmc (does not unwind loops without end)
// unknown: finite (there are too many runs)

// Nothing lives where the loop starts again, so nothing is lost, however often it does.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  while (__VERIFIER_nondet_int()) {
    char *p = malloc(8);
    p[3] = 1;
    free(p);
  }
  return 0;
}
