// expect: unsafe
// error-line: 23

// One depth of the recursion counts twice.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int count(int n) {
  if (n <= 0) {
    return 0;
  }
  return count(n - 1) + (n == 7 ? 2 : 1);
}

int main(void) {
  int n = __VERIFIER_nondet_int();

  if (n >= 0 && n <= 1000) {
    int r = count(n);

    assert(r == n);
  }
  return 0;
}
