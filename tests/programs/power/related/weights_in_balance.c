// expect: unsafe
// error-line: 22

// Weights on both sides have to balance with a third on one of them.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int left = __VERIFIER_nondet_int();
  int right = __VERIFIER_nondet_int();
  int counter = __VERIFIER_nondet_int();

  if (left < 100 || left > 900 || right < 100 || right > 900) {
    return 0;
  }
  if (counter < 1 || counter > 50) {
    return 0;
  }
  if (7 * left + counter == 11 * right) {
    assert(left <= right || counter != 37);
  }
  return 0;
}
