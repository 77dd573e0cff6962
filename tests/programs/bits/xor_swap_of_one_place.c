// expect: unsafe
// error-line: 23
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static void swap(int *a, int *b) {
  *a ^= *b;
  *b ^= *a;
  *a ^= *b;
}

int main(void) {
  int values[3] = {__VERIFIER_nondet_int(), 7, 9};
  int at = __VERIFIER_nondet_int() & 1;
  int old = values[at];
  swap(&values[at], &values[1]);
  assert(values[1] == old);
  return 0;
}
