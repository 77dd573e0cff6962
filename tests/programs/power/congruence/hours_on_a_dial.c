// expect: safe

// Five hours on, again and again: the dial shows an hour.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int hour = 0;

  while (__VERIFIER_nondet_int()) {
    hour = (hour + 5) % 12;
    assert(hour >= 0 && hour < 12);
  }
  return 0;
}
