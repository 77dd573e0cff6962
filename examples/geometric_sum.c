// The sum of the first powers of a number: true, but its invariant is multiplied by the number in
// each iteration, which no linear reasoning over products repeats.
//
//   cairn check --timeout 3 examples/geometric_sum.c

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  long long base = __VERIFIER_nondet_int();
  int n = __VERIFIER_nondet_int();
  long long sum = 1, power = base;
  for (int i = 1; i < n; i++) {
    sum = sum * base + 1;
    power = power * base;
  }
  assert(sum * (base - 1) == power - 1);
  return 0;
}
