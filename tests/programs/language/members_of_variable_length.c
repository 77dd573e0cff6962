// expect: unknown
// level: core
// The size of the record is only known in a run, so that it is read but not modelled.

#include <assert.h>

int main(void) {
  int n = 3;
  struct s { char c[n]; int x; };
  assert(sizeof(struct s) == 8);
  return 0;
}
