// expect: safe

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int v = __VERIFIER_nondet_int();
  if (n < 1 || n > 100000) {
    return 0;
  }
  int a[n];
  for (int i = 0; i < n; i++) {
    a[i] = v;
  }
  for (int i = n - 1; i >= 0; i--) {
    assert(a[i] == v);
  }
  return 0;
}
