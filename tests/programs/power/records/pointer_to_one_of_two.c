// expect: safe

// The pointer shows one of two counters; together they count every step.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int heads = 0, tails = 0;

  for (int i = 0; i < 500; i++) {
    int *side = __VERIFIER_nondet_int() ? &heads : &tails;
    *side += 1;
  }
  assert(heads + tails == 500);
  return 0;
}
