// expect: safe
// level: core
// unknown: random (proves nothing)

// What the calls do to the place is a matter of its value at each entry.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void count(int *place, int n) {
  if (n <= 0)
    return;
  *place = *place + 1;
  count(place, n - 1);
}

int main(void) {
  int first = 0, second = 0;
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    return 0;
  count(__VERIFIER_nondet_int() ? &first : &second, n);
  assert(first + second == n);
  return 0;
}
