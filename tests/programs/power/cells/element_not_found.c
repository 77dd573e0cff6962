// expect: safe

// No element before the one that was found is what was looked for.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[2000];
  int wanted = __VERIFIER_nondet_int();
  for (int i = 0; i < 2000; i++) {
    a[i] = __VERIFIER_nondet_int();
  }
  int found = 0;
  while (found < 2000 && a[found] != wanted) {
    found++;
  }
  for (int i = 0; i < found; i++) {
    assert(a[i] != wanted);
  }
  return 0;
}
