// expect: safe

// Adding the price amount times is the product, for amounts up to eight.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int price = __VERIFIER_nondet_int();
  int total = 0;

  if (price < 0 || price > 1000) {
    return 0;
  }
  for (int i = 0; i < 8; i++) {
    total += price;
  }
  assert(total == 8 * price);
  return 0;
}
