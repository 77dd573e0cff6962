// expect: safe
// level: slow
// unknown: random (cannot prove)

#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int ascending(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}

int main(void) {
  int values[3];
  for (int i = 0; i < 3; i++)
    values[i] = __VERIFIER_nondet_int();
  qsort(values, 3, sizeof values[0], ascending);
  assert(values[0] <= values[1] && values[1] <= values[2]);
  return 0;
}
