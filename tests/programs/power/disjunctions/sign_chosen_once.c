// expect: safe

// The direction is chosen before the loop; the product of sign and distance
// tells which.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int direction = __VERIFIER_nondet_int() ? 1 : -1;
  int at = 0;

  for (int i = 0; i < 1000; i++) {
    at += direction;
  }
  assert(at == 1000 || at == -1000);
  return 0;
}
