// expect: safe
// level: core
// unknown: random (cannot prove)

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

struct account {
  char kind;
  int balance;
  long turnover;
};

int main(void) {
  struct account a = {'a', 0, 0}, b;
  int n = __VERIFIER_nondet_int();
  while (n > 0) {
    a.balance++;
    a.turnover += 2;
    n--;
    if (a.balance >= 1000)
      break;
  }
  b = a;
  assert(b.turnover == 2L * b.balance);
  assert(b.kind == 'a');
  return 0;
}
