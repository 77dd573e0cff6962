// expect: safe

// The book is on the shelf, or in the cart with its number noted.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int shelf = 1, cart = 0, noted = 0;

  while (__VERIFIER_nondet_int()) {
    if (shelf && __VERIFIER_nondet_int()) {
      shelf = 0;
      cart = 1;
      noted = 17;
    } else if (cart) {
      cart = 0;
      shelf = 1;
    }
    assert((shelf && !cart) || (cart && noted == 17));
  }
  return 0;
}
