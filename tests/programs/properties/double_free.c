// expect: unsafe
// error-line: 11
// level: core
// property: valid-free

#include <stdlib.h>

int main(void) {
  char *p = malloc(3);
  free(p);
  free(p);
  return 0;
}
