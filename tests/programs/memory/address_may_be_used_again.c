// expect: unknown
// level: core

// Libraries give the address of a freed object again. The value of the freed pointer is
// indeterminate, so a run that looks at it is undefined.

#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  free(p);
  int *q = malloc(4);
  if (q)
    assert(p != q);
  free(q);
  return 0;
}
