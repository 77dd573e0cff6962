// expect: safe

// elapsed + left stays what the timer was set to.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned set = __VERIFIER_nondet_uint();
  unsigned left = set, elapsed = 0;

  while (left != 0) {
    left--;
    elapsed++;
  }
  assert(elapsed == set);
  return 0;
}
