// expect: unsafe
// error-line: 19

// The last element keeps any value.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[300];
  for (int i = 0; i < 300; i++) {
    a[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i < 299; i++) {
    a[i] = 1;
  }
  for (int i = 0; i < 300; i++) {
    assert(a[i] == 1);
  }
  return 0;
}
