// expect: safe

// Two steps of three are on one side and one on the other; two against one they
// end together.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int rows = __VERIFIER_nondet_int();
  int step = 0, one = 0, two = 0, seen = 0;

  if (rows < 0 || rows > 10000) {
    return 0;
  }
  while (step < 3 * rows) {
    if (step % 3 == 0) {
      one++;
    } else {
      two++;
    }
    step++;
  }
  while (seen < two) {
    seen += 2;
    one--;
  }
  assert(one == 0);
  return 0;
}
