// expect: unsafe
// error-line: 17

// The distance of two 32-bit clocks is taken the wrong way round.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned start = __VERIFIER_nondet_uint();
  unsigned now = start;

  for (int i = 0; i < 100; i++) {
    now++;
  }
  assert(start - now > 4294967196u);
  return 0;
}
