// expect: safe

// The minimum of a stream is at most its first element.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int lesser(int a, int b) { return a < b ? a : b; }

int main(void) {
  int first = __VERIFIER_nondet_int();
  int least = first;

  while (__VERIFIER_nondet_int()) {
    least = lesser(least, __VERIFIER_nondet_int());
  }
  assert(least <= first);
  return 0;
}
