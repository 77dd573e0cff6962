// expect: unsafe
// error-line: 27
// level: core
// skip: gps* (all its runs decide it; what formulas make of it is another matter)
// skip: cra (as gps)
// skip: predabs (all its runs decide it; what formulas make of it is another matter)

// Calls through a pointer, in one run.
#include <assert.h>

static int down(int a, int b) { return b - a; }

static void sort(int *from, int count, int (*order)(int, int)) {
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && order(from[j - 1], from[j]) > 0; j--) {
      int kept = from[j];
      from[j] = from[j - 1];
      from[j - 1] = kept;
    }
}

int main(void) {
  int values[6] = {3, 1, 4, 1, 5, 9};
  sort(values, 6, down);
  assert(values[0] == 9);
  assert(values[5] == 1);
  assert(values[1] == 4);
  return 0;
}
