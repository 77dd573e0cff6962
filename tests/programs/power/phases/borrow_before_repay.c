// expect: safe

// Debt grows for the first loop and is paid in the second: it never gets
// negative.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int months = __VERIFIER_nondet_int();
  int debt = 0;

  if (months < 0 || months > 10000) {
    return 0;
  }
  for (int i = 0; i < months; i++) {
    debt += 2;
  }
  for (int i = 0; i < months; i++) {
    assert(debt >= 2);
    debt -= 2;
  }
  assert(debt == 0);
  return 0;
}
