// expect: unsafe
// error-line: 15
// level: core

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), expected = 3;
  int old = __sync_fetch_and_add(&x, 1);
  assert(old == x - 1 || x == -2147483647 - 1);
  if (__atomic_compare_exchange_n(&x, &expected, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    assert(x == 9 && old == 2);
  assert(x != 9 || expected != 3);
  return 0;
}
