// expect: safe

// The slot is the counter modulo eight, by a mask, even where the counter
// wraps.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned counter = __VERIFIER_nondet_uint();

  while (__VERIFIER_nondet_int()) {
    unsigned slot = counter & 7u;
    assert(slot < 8 && slot == counter % 8);
    counter++;
  }
  return 0;
}
