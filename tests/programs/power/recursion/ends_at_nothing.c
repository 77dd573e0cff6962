// expect: safe

// Whatever is taken away in each call, the last call is given zero.

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static int left = -1;

static void take(unsigned amount) {
  if (amount == 0) {
    left = 0;
    return;
  }
  take(amount / 3);
}

int main(void) {
  take(__VERIFIER_nondet_uchar());
  assert(left == 0);
  return 0;
}
