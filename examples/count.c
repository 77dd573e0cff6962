// Two counters that move together, and one that wraps around: safe.
//
//   cairn check --engine cra examples/count.c
//   cairn dump summary examples/count.c

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned limit = __VERIFIER_nondet_uint();
  unsigned steps = 0;
  unsigned even = 0;
  while (steps < limit) {
    steps++;
    even += 2;
  }
  assert(steps == limit);
  assert(even % 2 == 0);
  return 0;
}
