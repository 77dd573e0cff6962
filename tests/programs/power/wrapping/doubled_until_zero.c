// expect: unsafe
// error-line: 16

// Doubling an unsigned number 32 times leaves nothing of it.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned mask = __VERIFIER_nondet_uint() | 1u;

  for (int i = 0; i < 32; i++) {
    mask *= 2;
  }
  assert(mask != 0);
  return 0;
}
