// expect: unsafe
// error-line: 21
// level: core
// unknown: gps-nogas-nosum (without a summary it does not know which input to take)
// unknown: gps-paper (needs leaps)
// skip: impact (one iteration after the other: more than fit into a second)
// skip: predabs (one iteration after the other: more than fit into a second)

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned from = __VERIFIER_nondet_uint();
  unsigned down = from, up = 0;

  while (down > 0) {
    down--;
    up++;
  }
  assert(up != 4294967295u);
  return 0;
}
