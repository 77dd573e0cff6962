// expect: unsafe
// error-line: 21

// The remainder of a negative number is negative: the slot lies before the
// table.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int hash = 0;

  for (int i = 0; i < 6; i++) {
    int letter = __VERIFIER_nondet_int();
    if (letter < -100 || letter > 100) {
      return 0;
    }
    hash = (hash * 3 + letter) % 64;
  }
  assert(hash >= -60);
  return 0;
}
