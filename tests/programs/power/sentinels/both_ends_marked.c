// expect: safe

// Two indices search from the ends towards each other; they meet and do not
// cross.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int left = 0, right = 1000;

  while (left < right) {
    if (__VERIFIER_nondet_int()) {
      left++;
    } else {
      right--;
    }
  }
  assert(left == right);
  return 0;
}
