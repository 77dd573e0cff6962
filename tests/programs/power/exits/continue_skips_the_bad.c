// expect: safe

// Bad samples are skipped: they are counted, but not summed.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int good = 0, bad = 0;

  for (int i = 0; i < 300; i++) {
    if (__VERIFIER_nondet_int() < 0) {
      bad++;
      continue;
    }
    good++;
  }
  assert(good + bad == 300);
  return 0;
}
