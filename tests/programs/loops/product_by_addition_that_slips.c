// expect: unsafe
// error-line: 20
// level: core
// skip: gps-paper (products are tracked for auto and gps only)
// skip: impact (products are tracked for auto and gps only)
// skip: predabs (products are tracked for auto and gps only)

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
  long long sum = 0;
  int y = 0;
  while (y < n) {
    sum = sum + x + (y == 7);
    y = y + 1;
  }
  assert(sum == (long long)x * y);
  return 0;
}
