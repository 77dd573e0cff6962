// expect: unsafe
// error-line: 20

// Brackets close before they open: the depth falls below zero late.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int depth = 0, opened = 0;

  while (opened < 40) {
    if (__VERIFIER_nondet_int() > 0) {
      depth++;
      opened++;
    } else if (opened > 20) {
      depth--;
    }
    assert(depth >= 0);
  }
  return 0;
}
