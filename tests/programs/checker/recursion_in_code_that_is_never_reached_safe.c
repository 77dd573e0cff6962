// expect: safe
// level: core
// unknown: random (it finds violations)

#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

static int down(int from) {
  if (from <= 0) {
    assert(from == 0);
    return 1;
  }
  return down(from - 1);
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 2;
  n = (n == n) * 3;
  if (n == 1)
    down(1);
  return 0;
}
