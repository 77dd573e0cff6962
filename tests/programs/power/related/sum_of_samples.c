// expect: unsafe
// error-line: 20

// Ten samples of at most a hundred must add up to one certain sum.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int sum = 0;

  for (int i = 0; i < 10; i++) {
    int sample = __VERIFIER_nondet_int();
    if (sample < 0 || sample > 100) {
      return 0;
    }
    sum += sample;
  }
  assert(sum != 973);
  return 0;
}
