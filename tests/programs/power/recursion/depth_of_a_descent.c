// expect: safe

// What the recursion returns is what it was given: an induction over its depth.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int descend(int floors) {
  if (floors <= 0) {
    return 0;
  }
  return 1 + descend(floors - 1);
}

int main(void) {
  int floors = __VERIFIER_nondet_int();

  if (floors >= 0 && floors <= 6) {
    assert(descend(floors) == floors);
  }
  return 0;
}
