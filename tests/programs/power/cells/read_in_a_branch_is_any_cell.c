// expect: unsafe
// error-line: 25

// The cell that the branch reads is not the one that fails: to take it for that
// one would make the failure unreachable.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[100];
  for (int i = 0; i < 100; i++) {
    a[i] = 0;
  }
  a[3] = 1;
  int seen = 0;
  for (int i = 0; i < 100; i++) {
    if (a[i] == 1) {
      seen = 1;
    }
  }
  for (int i = 0; i < 100; i++) {
    if (seen == 1) {
      assert(a[i] == 1);
    }
  }
  return 0;
}
