// expect: safe

// A flag that flips with every step tells whether the number is odd.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int number = 0, odd = 0;

  while (number < 10000 && __VERIFIER_nondet_int()) {
    number++;
    odd = !odd;
  }
  assert(odd == number % 2);
  return 0;
}
