// expect: safe

// A restart sets both to zero, so that one never exceeds the other's double.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int base = 0, derived = 0;

  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int() || base > 1000) {
      base = 0;
      derived = 0;
    } else {
      base++;
      derived += __VERIFIER_nondet_int() ? 1 : 2;
    }
    assert(base <= derived && derived <= 2 * base);
  }
  return 0;
}
