// The sum of the first odd numbers is a square: the loop's invariant is a polynomial.
//
//   cairn check examples/squares.c

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int sum = 0;
  if (n < 0 || n > 40000)
    return 0;
  for (int i = 0; i < n; i++)
    sum += 2 * i + 1;
  assert(sum == n * n);
  return 0;
}
