// expect: unsafe
// error-line: 19
// level: core
// unknown: gps-nogas-nosum (without a summary it does not know which input to take)
// unknown: random (one input of 2^32 fails)
// skip: impact (how far it gets is a matter of time)
// skip: predabs (what it decides is a matter of time)

#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned key = __VERIFIER_nondet_uint();
  unsigned turns = 0, sum = 0;
  while (turns < key && turns < 70000) {
    turns++;
    sum += 3;
  }
  assert(sum != 3 * 54321);
  return 0;
}
