// expect: safe

// Once the machine has left its first state no edge leads back.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int state = 1, left = 0;

  while (1) {
    int input = __VERIFIER_nondet_int();
    if (state == 1 && input > 10) {
      state = 2;
      left = 1;
    } else if (state == 2 && input > 20) {
      state = 3;
    } else if (state == 3) {
      state = input > 30 ? 2 : 4;
    } else if (state == 4) {
      break;
    }
    assert(!left || state != 1);
  }
  return 0;
}
