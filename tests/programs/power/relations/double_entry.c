// expect: safe

// Every booking changes two accounts by opposite amounts.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int cash = 0, goods = 0;

  for (int i = 0; i < 1000; i++) {
    int amount = __VERIFIER_nondet_int();
    if (amount > 0 && amount < 1000) {
      cash -= amount;
      goods += amount;
    }
  }
  assert(cash + goods == 0);
  return 0;
}
