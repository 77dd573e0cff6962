// expect: safe

// Every third step counts, and a second loop counts what was counted.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int rows = __VERIFIER_nondet_int();
  int step = 0, counted = 0, again = 0;

  if (rows < 0 || rows > 10000) {
    return 0;
  }
  while (step < 3 * rows) {
    if (step % 3 == 0) {
      counted++;
    }
    step++;
  }
  while (again < counted) {
    again++;
  }
  assert(again == rows);
  return 0;
}
