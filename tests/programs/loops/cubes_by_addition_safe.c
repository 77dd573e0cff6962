// expect: safe
// level: core
// skip: gps-paper (products are tracked for auto and gps only)
// skip: impact (products are tracked for auto and gps only)
// skip: predabs (products are tracked for auto and gps only)
// skip: cra (products are tracked for auto and gps only)
// skip: random (the loop has too many runs)

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
