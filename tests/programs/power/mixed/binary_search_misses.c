// expect: unsafe
// error-line: 28

// The upper half starts one too late: the search can end beside its goal.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int goal = __VERIFIER_nondet_int();
  int low = 0, high = 100;

  if (goal < 0 || goal >= 100) {
    return 0;
  }
  while (low < high) {
    int middle = (low + high) / 2;
    if (goal > middle) {
      low = middle + 2;
    } else if (goal < middle) {
      high = middle - 1;
    } else {
      low = middle;
      high = middle;
    }
  }
  assert(low == goal);
  return 0;
}
