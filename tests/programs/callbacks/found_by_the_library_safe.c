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
  int values[4] = {2, 3, 5, 7};
  int key = __VERIFIER_nondet_int();
  int *found = bsearch(&key, values, 4, sizeof values[0], ascending);
  if (found)
    assert(*found == key);
  else
    assert(key != 3 && key != 7);
  return 0;
}
