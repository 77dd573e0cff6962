// expect: safe
// level: slow
// unknown: random (proves nothing)

// What the calls do to the place is a matter of its value at each entry.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void count(int *place, int n) {
  *place = *place + 1;
  if (n > 0)
    count(place, n - 1);
}

int main(void) {
  int calls = 0;
  count(&calls, __VERIFIER_nondet_int());
  assert(calls >= 1);
  return 0;
}
