// expect: safe

// quotient * 7 + remainder is the number counted so far, and the remainder is
// below seven.

#include <assert.h>

int main(void) {
  int count = 0, quotient = 0, remainder = 0;

  while (count < 100000) {
    count++;
    remainder++;
    if (remainder == 7) {
      remainder = 0;
      quotient++;
    }
    assert(quotient * 7 + remainder == count);
  }
  assert(remainder < 7);
  return 0;
}
