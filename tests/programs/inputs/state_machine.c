// expect: unsafe
// error-line: 19
// level: core

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int state = 0, steps = 0;
  while (steps < 20) {
    int command = __VERIFIER_nondet_int();
    if (state == 0 && command == 7)
      state = 1;
    else if (state == 1 && command == 3)
      state = 2;
    else if (state == 2 && command == 7)
      state = 3;
    steps++;
    assert(state != 3);
  }
  return 0;
}
