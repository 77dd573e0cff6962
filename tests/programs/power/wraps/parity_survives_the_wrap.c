// expect: safe

// Steps of two from an even number are even for ever, wrapped or not.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned address = 0;

  while (__VERIFIER_nondet_int()) {
    address += 2;
  }
  assert(address % 2 == 0);
  return 0;
}
