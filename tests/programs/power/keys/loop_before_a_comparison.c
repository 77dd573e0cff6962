// expect: unsafe
// error-line: 22

// The loop must run exactly 4321 times for the two to be equal.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int turns = __VERIFIER_nondet_int();
  int i = 0, brass = 10000, iron = 1358;

  while (i < turns) {
    i++;
    brass--;
    iron++;
    if (i > 9000) {
      return 0;
    }
  }
  assert(brass != iron);
  return 0;
}
