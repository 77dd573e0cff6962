// expect: safe
// level: core
// skip: gps-paper (products are tracked for auto and gps only)
// skip: impact (products are tracked for auto and gps only)
// skip: predabs (products are tracked for auto and gps only)
// skip: cra (products are tracked for auto and gps only)
// skip: random (the loop has too many runs)

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint();
  unsigned sum = 0, y = 0;
  while (y < n) {
    sum = sum + x;
    y = y + 1;
  }
  assert(sum == x * y);
  return 0;
}
