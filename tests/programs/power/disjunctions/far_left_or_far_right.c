// expect: safe

// From the origin the first step decides the side; no later step leads back
// over it.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int at = 0;

  at = __VERIFIER_nondet_int() ? -1 : 1;
  while (at > -10000 && at < 10000) {
    if (at > 0) {
      at += 2;
    } else {
      at -= 2;
    }
    assert(at != 0);
  }
  return 0;
}
