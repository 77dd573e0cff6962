// expect: safe
// level: core
// skip: gps-paper (products are tracked for auto and gps only)
// skip: impact (products are tracked for auto and gps only)
// skip: predabs (products are tracked for auto and gps only)
// skip: cra (products are tracked for auto and gps only)
// skip: random (the loop has too many runs)

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  long long sum = 0;
  int y = 0;
  while (y < n) {
    sum = sum + x;
    y = y + 1;
  }
  assert(sum == (long long)x * y);
  return 0;
}
