// expect: unsafe
// error-line: 24

// Three loops lie before the lock, whose key is the number of iterations of all
// of them.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int first = __VERIFIER_nondet_int(), second = __VERIFIER_nondet_int();
  int turns = 0;

  for (int i = 0; i < first && i < 300; i++) {
    turns++;
  }
  for (int i = 0; i < second && i < 300; i++) {
    turns += 2;
  }
  for (int i = 0; i < 100; i++) {
    turns++;
  }
  assert(turns != 777);
  return 0;
}
