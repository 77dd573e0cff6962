// expect: unsafe
// error-line: 21
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)
// unknown: predabs (it does not know bits exactly)

#include <assert.h>

extern signed char __VERIFIER_nondet_char(void);

/* The low byte is negative now and then, and its sign covers the high one. */
static unsigned pack(signed char high, signed char low) {
  return ((unsigned)high & 255) << 8 | (unsigned)low;
}

int main(void) {
  signed char high = __VERIFIER_nondet_char(), low = __VERIFIER_nondet_char();
  unsigned word = pack(high, low);
  assert((signed char)(word >> 8) == high);
  return 0;
}
