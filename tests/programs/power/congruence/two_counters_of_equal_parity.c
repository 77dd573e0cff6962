// expect: safe

// Both change by odd amounts in every step, so their sum stays even.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int left = 0, right = 0;

  for (int i = 0; i < 1000; i++) {
    left += 1;
    right += __VERIFIER_nondet_int() ? 3 : 5;
  }
  assert((left + right) % 2 == 0);
  return 0;
}
