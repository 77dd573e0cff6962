// expect: safe

// The credit of a vending machine is a multiple of its coin and below the price
// after a sale.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int credit = 0, sold = 0;

  while (sold < 1000) {
    if (__VERIFIER_nondet_int()) {
      credit += 50;
    }
    if (credit >= 150) {
      credit -= 150;
      sold++;
    }
    assert(credit == 0 || credit == 50 || credit == 100);
  }
  return 0;
}
