// expect: safe
// level: core
// skip: random (proves nothing)
// skip: gps-lite (no summary says which bits are clear, and it has no gas to look)
// skip: cra (no summary says which bits are clear)

// What comes in is masked, and comes out three iterations later: that takes an induction of some depth.

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char first = 0, second = 0, third = 0;
  for (;;) {
    assert((third & 0x21) == 0);
    third = second;
    second = first;
    first = __VERIFIER_nondet_uchar() & 0x5a;
  }
}
