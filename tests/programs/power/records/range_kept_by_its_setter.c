// expect: safe

// The setter swaps the ends where they are given the wrong way round.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct range {
  int low, high;
};

static void set(struct range *range, int a, int b) {
  if (a <= b) {
    range->low = a;
    range->high = b;
  } else {
    range->low = b;
    range->high = a;
  }
}

int main(void) {
  struct range window = {0, 0};

  while (__VERIFIER_nondet_int()) {
    set(&window, __VERIFIER_nondet_int(), __VERIFIER_nondet_int());
    assert(window.low <= window.high);
  }
  return 0;
}
