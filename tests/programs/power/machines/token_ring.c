// expect: safe

// Three stations and one token: exactly one station has it.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a = 1, b = 0, c = 0;

  while (__VERIFIER_nondet_int()) {
    if (a) {
      a = 0;
      b = 1;
    } else if (b) {
      b = 0;
      c = 1;
    } else {
      c = 0;
      a = 1;
    }
    assert(a + b + c == 1);
  }
  return 0;
}
