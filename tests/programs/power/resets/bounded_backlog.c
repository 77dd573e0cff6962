// expect: safe

// Whenever the backlog reaches the bound it is flushed, whatever came in
// between.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int backlog = 0, flushed = 0;

  for (int i = 0; i < 10000; i++) {
    if (__VERIFIER_nondet_int()) {
      backlog += 3;
    }
    if (backlog >= 30) {
      flushed++;
      backlog = 0;
    }
    assert(backlog < 30);
  }
  assert(flushed >= 0);
  return 0;
}
