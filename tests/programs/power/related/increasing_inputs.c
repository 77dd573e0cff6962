// expect: unsafe
// error-line: 20

// Five inputs in increasing order, each in its own narrow band.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int last = 0;

  for (int i = 1; i <= 5; i++) {
    int value = __VERIFIER_nondet_int();
    if (value <= last || value > 10 * i) {
      return 0;
    }
    last = value;
  }
  assert(last != 50);
  return 0;
}
