// expect: safe

// Twelve hours of charge and twelve of use, day after day: the battery is never
// below its start.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int hour = 0, charge = 10;

  while (__VERIFIER_nondet_int()) {
    if (hour < 12) {
      charge++;
    } else {
      charge--;
    }
    hour = hour == 23 ? 0 : hour + 1;
    assert(charge >= 10 && charge <= 22);
  }
  return 0;
}
