// expect: safe

// A retry jumps back from the cleanup; what was opened is closed before.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int open = 0, tries = 0;

retry:
  assert(open == 0);
  open++;
  tries++;
  if (__VERIFIER_nondet_int()) {
    goto failed;
  }
  open--;
  goto done;
failed:
  open--;
  if (tries < 3) {
    goto retry;
  }
done:
  assert(open == 0 && tries <= 3);
  return 0;
}
