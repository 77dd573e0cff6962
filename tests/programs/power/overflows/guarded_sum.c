// expect: safe
// property: no-overflow

// The guard leaves room for the largest addend.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int total = 0;

  while (__VERIFIER_nondet_int()) {
    int amount = __VERIFIER_nondet_int();
    if (amount >= 0 && amount <= 1000 && total <= 2147483647 - amount) {
      total += amount;
    }
  }
  assert(total >= 0);
  return 0;
}
