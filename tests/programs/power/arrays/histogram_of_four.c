// expect: safe

// Four counters as an array; their sum is the number of samples.

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int bins[4] = {0, 0, 0, 0};

  for (int i = 0; i < 50; i++) {
    unsigned which = __VERIFIER_nondet_uint();
    bins[which % 4]++;
  }
  assert(bins[0] + bins[1] + bins[2] + bins[3] == 50);
  return 0;
}
