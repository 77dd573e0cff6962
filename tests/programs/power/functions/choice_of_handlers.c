// expect: safe

// A table of handlers, each of which keeps the sum of two fields.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int warm = 50, cold = 50;

static void heat(void) {
  if (cold > 0) {
    cold--;
    warm++;
  }
}

static void cool(void) {
  if (warm > 0) {
    warm--;
    cold++;
  }
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    void (*handler)(void) = __VERIFIER_nondet_int() ? heat : cool;
    handler();
  }
  assert(warm + cold == 100);
  return 0;
}
