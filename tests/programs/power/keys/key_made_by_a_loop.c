// expect: unsafe
// error-line: 17

// The key is made by a loop, and the input has to equal it.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int key = 0;
  int guess = __VERIFIER_nondet_int();

  for (int i = 0; i < 1000; i++) {
    key += 37;
  }
  assert(guess != key + 5);
  return 0;
}
