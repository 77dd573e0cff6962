// expect: safe

// Permits and holders add up to three.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int permits = 3, holders = 0;

  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      if (permits > 0) {
        permits--;
        holders++;
      }
    } else if (holders > 0) {
      holders--;
      permits++;
    }
    assert(holders <= 3 && permits <= 3);
  }
  return 0;
}
