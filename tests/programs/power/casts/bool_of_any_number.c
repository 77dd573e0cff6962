// expect: safe

// A _Bool is zero or one, whatever was stored in it, so the count is bounded by
// the rounds.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int set = 0;

  for (int i = 0; i < 64; i++) {
    _Bool bit = __VERIFIER_nondet_int();
    set += bit;
    assert(set <= i + 1);
  }
  return 0;
}
