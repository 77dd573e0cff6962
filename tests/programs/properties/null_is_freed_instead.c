// expect: unsafe
// error-line: 12
// level: core
// property: valid-memcleanup
// unknown: cra k-induction (find no violations)

// To free a null pointer leaves as many objects as before.

#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
int main(void) {
  char *p = malloc(8);
  free(__VERIFIER_nondet_int() == 5 ? 0 : p);
  return 0;
}
