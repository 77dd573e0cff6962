// expect: safe

// The loop fills until half time and drains after it: an invariant for each
// phase.

#include <assert.h>

int main(void) {
  int time = 0, tank = 0;

  while (time < 200) {
    if (time < 100) {
      tank++;
    } else {
      tank--;
    }
    time++;
  }
  assert(tank == 0);
  return 0;
}
