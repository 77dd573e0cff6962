// expect: safe

// Water moves from one bucket through a second to a third; the sum stays.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int top = 40, middle = 0, bottom = 0;

  while (top + middle > 0) {
    if (top > 0 && __VERIFIER_nondet_int()) {
      top--;
      middle++;
    } else if (middle > 0) {
      middle--;
      bottom++;
    }
  }
  assert(bottom == 40);
  return 0;
}
