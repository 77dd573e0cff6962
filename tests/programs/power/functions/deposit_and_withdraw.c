// expect: safe

// Two functions on a global balance, one of which refuses.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int balance = 0;

static void deposit(int amount) {
  if (amount > 0 && balance < 1000000) {
    balance += amount % 1000;
  }
}

static void withdraw(int amount) {
  if (amount > 0 && amount <= balance) {
    balance -= amount;
  }
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      deposit(__VERIFIER_nondet_int());
    } else {
      withdraw(__VERIFIER_nondet_int());
    }
    assert(balance >= 0);
  }
  return 0;
}
