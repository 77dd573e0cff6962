// expect: safe

// Socks are taken in pairs from an even number: the last one is never alone.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int pairs = __VERIFIER_nondet_int();
  int socks;

  if (pairs < 0 || pairs > 1000000) {
    return 0;
  }
  socks = 2 * pairs;
  while (socks > 0) {
    assert(socks != 1);
    socks -= 2;
  }
  return 0;
}
