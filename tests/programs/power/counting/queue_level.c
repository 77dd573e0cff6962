// expect: safe

// One invariant ties the two counters: used + left is the capacity.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int used = 0, left = 64;

  while (left > 0) {
    if (__VERIFIER_nondet_int()) {
      used++;
      left--;
    }
  }
  assert(used == 64);
  return 0;
}
