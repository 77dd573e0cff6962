// expect: safe
// level: core

#include <assert.h>

extern short __VERIFIER_nondet_short(void);

int main(void) {
  short last = __VERIFIER_nondet_short();
  long long n = 0, cube = 0, step = 1, more = 6;
  while (n <= last) {
    n = n + 1;
    cube = cube + step;
    step = step + more;
    more = more + 6;
  }
  assert(cube == n * n * n);
  return 0;
}
