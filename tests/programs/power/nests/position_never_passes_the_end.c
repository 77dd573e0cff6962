// expect: safe

// The inner loop moves the same position as the outer one, and checks the bound
// itself.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int length = __VERIFIER_nondet_int();
  int position = 0;

  if (length < 0) {
    return 0;
  }
  while (position < length) {
    position++;
    while (position < length && __VERIFIER_nondet_int()) {
      position++;
    }
  }
  assert(position == length);
  return 0;
}
