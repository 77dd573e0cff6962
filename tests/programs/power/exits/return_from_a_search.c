// expect: safe

// The function returns from within its loop with a value in the range, or the
// mark.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int search(int size) {
  for (int i = 0; i < size; i++) {
    if (__VERIFIER_nondet_int()) {
      return i;
    }
  }
  return -1;
}

int main(void) {
  int size = __VERIFIER_nondet_int();
  int at = search(size);

  assert(at == -1 || (0 <= at && at < size));
  return 0;
}
