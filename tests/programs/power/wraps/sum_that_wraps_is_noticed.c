// expect: safe

// The usual test for overflow of an unsigned sum, after which the sum is not
// less.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned total = 0;

  while (__VERIFIER_nondet_int()) {
    unsigned amount = __VERIFIER_nondet_uint();
    if (total + amount < total) {
      break;
    }
    total += amount;
    assert(total >= amount);
  }
  return 0;
}
