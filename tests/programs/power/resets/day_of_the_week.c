// expect: safe

// The day comes back to zero after six, so it is a day.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned day = __VERIFIER_nondet_uint() % 7;

  while (__VERIFIER_nondet_int()) {
    day = day == 6 ? 0 : day + 1;
    assert(day < 7);
  }
  return 0;
}
