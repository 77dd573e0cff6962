// expect: unsafe
// error-line: 22
// level: core

// What is written through one pointer is read through the other if both are the same.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct account {
  int owner;
  long balance;
};

int main(void) {
  struct account a = {1, 10}, b = {2, 20};
  struct account *from = __VERIFIER_nondet_int() ? &a : &b;
  struct account *to = __VERIFIER_nondet_int() ? &b : &a;
  from->balance = from->balance - 5;
  to->balance = to->balance + 5;
  assert(a.balance != 10 || from->owner == 2);
  return 0;
}
