// expect: safe

// A descending loop by four from a multiple of four stops exactly at zero.

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned height = __VERIFIER_nondet_uchar();

  height *= 4;
  while (height > 0) {
    height -= 4;
  }
  assert(height == 0);
  return 0;
}
