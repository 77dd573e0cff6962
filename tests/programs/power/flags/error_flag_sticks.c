// expect: safe

// A sticky flag: no sample above the limit has passed while it is clear.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int failed = 0, largest = 0;

  while (__VERIFIER_nondet_int()) {
    int sample = __VERIFIER_nondet_int();
    if (sample > 1000) {
      failed = 1;
    } else if (sample > largest) {
      largest = sample;
    }
    if (!failed) {
      assert(sample <= 1000);
    }
  }
  assert(largest <= 1000);
  return 0;
}
