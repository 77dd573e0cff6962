// expect: safe

// A machine written with labels; the counter is zero whenever it is idle.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int jobs = 0;

idle:
  assert(jobs == 0);
  if (__VERIFIER_nondet_int()) {
    goto busy;
  }
  return 0;
busy:
  jobs++;
  if (jobs < 4 && __VERIFIER_nondet_int()) {
    goto busy;
  }
finish:
  jobs--;
  if (jobs > 0) {
    goto finish;
  }
  goto idle;
}
