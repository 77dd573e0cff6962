// expect: unsafe
// error-line: 22

// Two names for an element: the second store undoes the first.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[200];
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x < 0 || x >= 200 || y < 0 || y >= 200) {
    return 0;
  }
  for (int i = 0; i < 200; i++) {
    a[i] = 0;
  }
  a[x] = 1;
  a[y] = 2;
  assert(a[x] == 1);
  return 0;
}
