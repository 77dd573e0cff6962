// A binary search with a bug: it never looks at the last element.
//
//   cairn check examples/binary_search.c
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int find(const int *a, int size, int wanted) {
  int low = 0, high = size - 1;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (a[middle] == wanted)
      return middle;
    if (a[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

int main(void) {
  int a[8] = {2, 3, 5, 7, 11, 13, 17, 19};
  int which = __VERIFIER_nondet_int();
  if (which < 0 || which >= 8)
    return 0;
  int place = find(a, 8, a[which]);
  assert(place == which);
  return 0;
}
