// expect: safe

// The flag is set together with the position, and the loop stops at it.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int found = 0, position = -1;

  for (int i = 0; i < 1000 && !found; i++) {
    if (__VERIFIER_nondet_int()) {
      found = 1;
      position = i;
    }
  }
  assert(found == (position >= 0));
  return 0;
}
