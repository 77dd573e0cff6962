// expect: safe

// The smaller stays the smaller: each new value is sorted in.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int smaller = 0, larger = 0;

  while (__VERIFIER_nondet_int()) {
    int value = __VERIFIER_nondet_int();
    if (value < smaller) {
      smaller = value;
    } else if (value > larger) {
      larger = value;
    }
    assert(smaller <= 0 && 0 <= larger);
  }
  return 0;
}
