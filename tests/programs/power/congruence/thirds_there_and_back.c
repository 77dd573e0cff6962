// expect: safe

// Three loops: every third step counts, the count is tripled, and what it is then
// takes back all steps.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int rows = __VERIFIER_nondet_int();
  int step = 0, counted = 0, seen = 0, back = 0;

  if (rows < 0 || rows > 10000) {
    return 0;
  }
  while (step < 3 * rows) {
    if (step % 3 == 0) {
      counted++;
    }
    step++;
  }
  while (seen < counted) {
    seen++;
    back += 3;
  }
  while (back > 0) {
    back--;
    step--;
  }
  assert(step == 0);
  return 0;
}
