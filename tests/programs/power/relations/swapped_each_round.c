// expect: safe

// Two values change places in each round: their sum and their set stay.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int mine = 3, yours = 8;

  while (__VERIFIER_nondet_int()) {
    int held = mine;
    mine = yours;
    yours = held;
    assert(mine + yours == 11 && mine != yours);
  }
  return 0;
}
