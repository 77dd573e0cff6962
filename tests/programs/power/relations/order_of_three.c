// expect: safe

// Three marks stay in order although each moves on its own.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int low = 0, middle = 5, high = 10;

  while (high < 10000) {
    int which = __VERIFIER_nondet_int();
    if (which == 0 && low + 1 < middle) {
      low++;
    } else if (which == 1 && middle + 1 < high) {
      middle++;
    } else {
      high++;
    }
    assert(low < middle && middle < high);
  }
  return 0;
}
