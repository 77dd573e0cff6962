// expect: safe

// A receiver of bits: its state is the parity of the ones it has seen.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int ones = 0, state = 0;

  for (int i = 0; i < 1000; i++) {
    if (__VERIFIER_nondet_int()) {
      ones++;
      state = 1 - state;
    }
  }
  assert((state == 1) == (ones % 2 == 1));
  return 0;
}
