// expect: safe
// level: core
// unknown: random (proves nothing)
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// One byte of a word is cleared through a union.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  union {
    unsigned u;
    unsigned char b[4];
  } v;
  unsigned i = (unsigned)__VERIFIER_nondet_int() % 4;
  v.u = 0x01020304u;
  v.b[i] = 0;
  assert(v.u != 0x01020304u && v.u != 0);
  return 0;
}
