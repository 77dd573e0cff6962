// Two inputs that must fit together before anything happens.
//
//   cairn check examples/inputs.c
//   cairn run --inputs 3,15 examples/inputs.c
#include <assert.h>
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int rounds = __VERIFIER_nondet_int();
  int target = __VERIFIER_nondet_int();
  if (rounds < 0 || rounds > 100)
    return 0;
  int total = 0;
  for (int i = 0; i < rounds; i++)
    total += 5;
  printf("%d rounds give %d\n", rounds, total);
  if (rounds > 2)
    assert(total != target);
  return 0;
}
