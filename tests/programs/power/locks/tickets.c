// expect: safe

// A ticket lock: the ticket being served is never ahead of those given out.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int next = 0, serving = 0, inside = 0;

  while (next < 10000) {
    if (__VERIFIER_nondet_int()) {
      next++;
    } else if (!inside && serving < next) {
      inside = 1;
    } else if (inside) {
      inside = 0;
      serving++;
    }
    assert(serving <= next);
  }
  return 0;
}
