// expect: safe

// Three failures in a row close the gate; a success resets the count.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int in_a_row = 0, gate = 1;

  while (gate) {
    if (__VERIFIER_nondet_int()) {
      in_a_row++;
    } else {
      in_a_row = 0;
    }
    if (in_a_row == 3) {
      gate = 0;
    }
  }
  assert(in_a_row == 3);
  return 0;
}
