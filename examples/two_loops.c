// A stock that grows by a rule of its own, then goes out in pairs: safe, because it stays even.
//
//   cairn explain --engine gps-nogas-nosum examples/two_loops.c

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int days = __VERIFIER_nondet_int();
  int orders = __VERIFIER_nondet_int();
  int stock = 4;
  if (days > 20)
    return 0;
  while (days > 0) {
    stock = 2 * stock - 2;
    days = days - 1;
  }
  while (orders > 0) {
    stock = stock - 2;
    orders = orders - 1;
  }
  assert(stock != 7);
  return 0;
}
