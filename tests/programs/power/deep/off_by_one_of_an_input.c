// expect: unsafe
// error-line: 20

// The loop admits the bound itself, and the input is as large as wanted.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int size = __VERIFIER_nondet_int();
  int index = 0;

  if (size < 50000 || size > 60000) {
    return 0;
  }
  while (index <= size) {
    index++;
  }
  assert(index <= size);
  return 0;
}
