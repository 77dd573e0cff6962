// expect: safe

// Every third step counts; the counted ones go away in pairs, and one may be left.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int rows = __VERIFIER_nondet_int();
  int step = 0, left = 0, pairs = 0;

  if (rows < 0 || rows > 100000) {
    return 0;
  }
  while (step < 3 * rows) {
    if (step % 3 == 0) {
      left++;
    }
    step++;
  }
  while (left > 1) {
    left -= 2;
    pairs++;
  }
  assert(2 * pairs == rows || 2 * pairs == rows - 1);
  return 0;
}
