// expect: unsafe
// error-line: 12
// level: core
// property: valid-deref

#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  free(p);
  return *p;
}
