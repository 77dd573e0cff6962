// expect: safe

// Which way out was taken shows in the counter.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int i = 0, early = 0;

  while (i < 40) {
    if (__VERIFIER_nondet_int()) {
      early = 1;
      break;
    }
    i++;
  }
  assert(early ? i < 40 : i == 40);
  return 0;
}
