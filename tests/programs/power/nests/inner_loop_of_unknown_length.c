// expect: safe

// However often the inner loop runs, it does not touch the outer counter.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int orders = 0, noise = 0;

  while (orders < 100) {
    while (__VERIFIER_nondet_int()) {
      noise = __VERIFIER_nondet_int();
    }
    orders++;
  }
  assert(orders == 100 || noise < 0);
  return 0;
}
