// expect: safe
// level: core
// unknown: random (proves nothing)

// A function of inputs may return a record: its members are any values of their types.
#include <assert.h>

struct pair {
  int low;
  unsigned char high;
};
extern struct pair __VERIFIER_nondet_pair(void);

int main(void) {
  struct pair p = __VERIFIER_nondet_pair();
  struct pair q = __VERIFIER_nondet_pair();
  if (p.high < q.high)
    assert(q.high != 0);
  assert(p.high <= 255);
}
