// expect: safe

// The length is compared as unsigned only after it is known not to be negative.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int length = __VERIFIER_nondet_int();
  unsigned room = 128;

  while (length >= 0 && (unsigned)length > room) {
    length -= 128;
  }
  assert(length <= 128);
  return 0;
}
