// expect: unsafe
// error-line: 23

// From state six the machine goes back by way of two to the forbidden one.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int state = 1, cycles = 0;

  for (int i = 0; i < 30; i++) {
    int up = __VERIFIER_nondet_int() > 0;
    if (up && state < 6) {
      state++;
    } else if (!up && state == 6) {
      state = 2;
      cycles++;
    } else if (!up && state == 2 && cycles == 2) {
      state = 0;
    }
    assert(state != 0);
  }
  return 0;
}
