// expect: safe

// Data flows only in the third state, to which only the greeting and its answer
// lead.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int state = 0, greeted = 0, answered = 0;

  while (__VERIFIER_nondet_int()) {
    if (state == 0) {
      greeted = 1;
      state = 1;
    } else if (state == 1 && __VERIFIER_nondet_int()) {
      answered = 1;
      state = 2;
    } else if (state == 2) {
      assert(greeted && answered);
      if (__VERIFIER_nondet_int()) {
        state = 0;
        greeted = 0;
        answered = 0;
      }
    }
  }
  return 0;
}
