// expect: unknown
// level: core
// property: valid-memtrack

// A closed stream is not lost; what the C library keeps for it is not followed.

#include <stdio.h>

int main(void) {
  FILE *file = fopen("x", "r");
  if (!file)
    return 1;
  fclose(file);
  return 0;
}
