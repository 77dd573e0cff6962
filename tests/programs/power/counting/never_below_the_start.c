// expect: safe

// The account only grows: a bound from below that every branch keeps.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int start = __VERIFIER_nondet_int();
  int account;

  if (start < 0 || start > 1000) {
    return 0;
  }
  account = start;
  while (__VERIFIER_nondet_int() && account < 1000000) {
    if (__VERIFIER_nondet_int()) {
      account += 10;
    } else {
      account += 7;
    }
  }
  assert(account >= start);
  return 0;
}
