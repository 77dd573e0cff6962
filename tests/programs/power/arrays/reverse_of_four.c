// expect: safe

// Swapping the ends inwards reverses an array.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int queue[4], copy[4];

  for (int i = 0; i < 4; i++) {
    queue[i] = __VERIFIER_nondet_int();
    copy[i] = queue[i];
  }
  for (int i = 0, j = 3; i < j; i++, j--) {
    int held = queue[i];
    queue[i] = queue[j];
    queue[j] = held;
  }
  assert(queue[0] == copy[3] && queue[1] == copy[2]);
  assert(queue[2] == copy[1] && queue[3] == copy[0]);
  return 0;
}
