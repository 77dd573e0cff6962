// expect: safe

// With steps of one or two the walk may overshoot by one, and by no more.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int at = 0;

  while (at < 50) {
    if (__VERIFIER_nondet_int()) {
      at += 1;
    } else {
      at += 2;
    }
  }
  assert(at == 50 || at == 51);
  return 0;
}
