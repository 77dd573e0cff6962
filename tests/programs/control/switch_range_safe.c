// expect: safe
// level: core
// unknown: random (cannot prove)

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), got = 0;
  switch (n) {
  case -3 ... 3:
    got = 1;
  }
  assert(got == (n >= -3 && n <= 3));
  return 0;
}
