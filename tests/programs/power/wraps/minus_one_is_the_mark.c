// expect: safe

// The index is the mark -1 of an unsigned type, or below the size.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned found = (unsigned)-1;

  for (unsigned i = 0; i < 100; i++) {
    if (__VERIFIER_nondet_int()) {
      found = i;
      break;
    }
  }
  assert(found == 4294967295u || found < 100);
  return 0;
}
