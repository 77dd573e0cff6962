// expect: safe
// level: core
// unknown: gps-nogas-nosum (without a summary it does not know when the loop ends)
// unknown: cra (undefined behaviour is no part of its summaries)
// unknown: random (it finds violations)
// skip: impact (how far it gets is a matter of time)
// skip: predabs (what it decides is a matter of time)

#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char limit = __VERIFIER_nondet_uchar();
  unsigned short other = 40000, steps = 0;
  while (steps < limit)
    steps++;
  int sum = -7 + (other != steps ? -2147483647 : 1);
  assert(other != 40000);
  return 0;
}
