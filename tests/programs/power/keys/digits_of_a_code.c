// expect: unsafe
// error-line: 20

// Four digits are read one after the other; only one code opens.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int code = 0;

  for (int i = 0; i < 4; i++) {
    int digit = __VERIFIER_nondet_int();
    if (digit < 0 || digit > 9) {
      return 0;
    }
    code = 10 * code + digit;
  }
  assert(code != 4719);
  return 0;
}
