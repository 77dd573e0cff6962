// expect: safe

// The loop ends at the larger of the input and the limit, never below the
// limit.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int level = __VERIFIER_nondet_int();

  while (level < 100) {
    level++;
  }
  assert(level >= 100);
  return 0;
}
