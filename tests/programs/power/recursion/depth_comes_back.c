// expect: safe

// Each call counts itself in and out: in the end the depth is what it was.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int depth;

static int climb(int n) {
  int r = 0;

  depth++;
  assert(depth >= 1);
  if (n > 0) {
    r = climb(n - 1) + 1;
  }
  depth--;
  return r;
}

int main(void) {
  int n = __VERIFIER_nondet_int();

  if (n >= 0 && n <= 1000) {
    int r = climb(n);
    assert(depth == 0 && r == n);
  }
  return 0;
}
