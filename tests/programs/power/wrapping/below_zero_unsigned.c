// expect: unsafe
// error-line: 14

// The last subtraction goes below zero, where an unsigned number is huge.

#include <assert.h>

int main(void) {
  unsigned credit = 10000;

  while (credit > 0 && credit <= 10000) {
    credit -= 3;
  }
  assert(credit == 0);
  return 0;
}
