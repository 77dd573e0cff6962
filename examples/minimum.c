// Counts as far as n twice over.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, least = 0;
  while (i < n) {
    least = least + 1;
    i = i + 1;
  }
  assert(least == i);
  return 0;
}
