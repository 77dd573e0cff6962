// expect: safe
// level: core
// unknown: random (cannot prove)
// skip: impact (how far it gets is a matter of time)
// skip: predabs (what it decides is a matter of time)

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

// The second loop undoes what the first did, in another order.
int main(void) {
  int n = __VERIFIER_nondet_int();
  int up = 0, left = 0;
  while (up < n) {
    up++;
    left += 2;
  }
  while (left > 0)
    left -= 2;
  assert(left == 0 || n <= 0);
  return 0;
}
