// expect: safe

// Any mixture of fives and tens is a multiple of five.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int paid = 0;

  while (paid < 10000 && __VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      paid += 5;
    } else {
      paid += 10;
    }
  }
  assert(paid % 5 == 0);
  return 0;
}
