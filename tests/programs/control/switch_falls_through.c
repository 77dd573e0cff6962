// expect: unsafe
// error-line: 23
// level: core

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int got = 0;
  switch (n) {
  case 1:
    got += 1;
  case 2:
    got += 2;
    break;
  case 10 ... 12:
    got = 9;
    break;
  default:
    got = 100;
  }
  assert(got != 3);
  return 0;
}
