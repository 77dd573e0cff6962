// expect: unsafe
// error-line: 15
// level: core

#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *a = calloc(4, sizeof *a);
  int sum = 0;
  for (int i = 0; i < 4; i++)
    sum += a[i];
  a = realloc(a, 8 * sizeof *a);
  a[7] = 5;
  assert(sum + a[7] + a[3] != 5);
  free(a);
  return 0;
}
