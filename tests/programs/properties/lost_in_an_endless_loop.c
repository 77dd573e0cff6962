// expect: unsafe
// error-line: 14
// level: core
// property: valid-memtrack
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

#include <stdlib.h>

int main(void) {
  for (;;) {
    int *p = malloc(sizeof *p);
    *p = 1;
  }
}
