// expect: safe

// The same number of steps in every run, a third of which counts.

#include <assert.h>

int main(void) {
  int step = 0, counted = 0, again = 0;

  while (step < 30000) {
    if (step % 3 == 0) {
      counted++;
    }
    step++;
  }
  while (again < counted) {
    again++;
  }
  assert(again == 10000);
  return 0;
}
