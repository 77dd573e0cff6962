// expect: unsafe
// error-line: 26

// The dial has to be moved right, left and right by certain amounts.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int dial = 0;
  int right = __VERIFIER_nondet_int();
  int left = __VERIFIER_nondet_int();

  if (right < 0 || right > 1000 || left < 0 || left > 1000) {
    return 0;
  }
  while (right > 0) {
    dial += 3;
    right--;
  }
  while (left > 0) {
    dial -= 2;
    left--;
  }
  assert(dial != 617);
  return 0;
}
