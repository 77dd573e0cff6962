// expect: safe

// Two readers advance together; the invariant is that they are equal.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int pages = __VERIFIER_nondet_int();
  int first = 0, second = 0;

  while (first < pages) {
    first++;
    second++;
  }
  assert(first == second);
  return 0;
}
