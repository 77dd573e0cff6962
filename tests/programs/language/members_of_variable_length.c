// expect: unknown
// level: core
// A record whose size is only known when it runs: read, and not modelled.

#include <assert.h>

int main(void) {
  int n = 3;
  struct s { char c[n]; int x; };
  assert(sizeof(struct s) == 8);
  return 0;
}
