// expect: safe

// The mean of two numbers lies between them; the interval shrinks around the
// goal.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int low = 0, high = 1000;

  while (low < high) {
    int middle = (low + high) / 2;
    assert(low <= middle && middle < high);
    if (__VERIFIER_nondet_int()) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  assert(low == high);
  return 0;
}
