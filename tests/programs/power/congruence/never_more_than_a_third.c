// expect: safe

// What every third step counted is never exceeded while it is taken down.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int rows = __VERIFIER_nondet_int();
  int step = 0, left = 0, moved = 0;

  if (rows < 0 || rows > 10000) {
    return 0;
  }
  while (step < 3 * rows) {
    if (step % 3 == 0) {
      left++;
    }
    step++;
  }
  while (left > 0) {
    left--;
    moved++;
    assert(moved <= rows);
  }
  return 0;
}
