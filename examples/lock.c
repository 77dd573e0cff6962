// The lock of the papers on lazy abstraction: it is taken in every iteration, and
// let go only when the counter moves on.
//
//   cairn explain --engine impact --blocks edge examples/lock.c
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int L = 0, old, new = __VERIFIER_nondet_int();
  do {
    assert(L == 0);
    L = 1;
    old = new;
    if (__VERIFIER_nondet_int()) {
      L = 0;
      new++;
    }
  } while (new != old);
  return 0;
}
