// expect: safe

// The sum of 32-bit lengths is kept in 64 bits, where it has room.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned long long total = 0;
  unsigned files = 0;

  while (files < 1000) {
    unsigned length = __VERIFIER_nondet_uint();
    total += length;
    files++;
  }
  assert(total <= 4294967295ull * 1000ull);
  return 0;
}
