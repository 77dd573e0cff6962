// expect: safe

// The break keeps the spending within the budget.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int spent = 0;

  while (1) {
    int price = __VERIFIER_nondet_int();
    if (price < 0 || price > 100) {
      continue;
    }
    if (spent + price > 1000) {
      break;
    }
    spent += price;
  }
  assert(spent >= 0 && spent <= 1000);
  return 0;
}
