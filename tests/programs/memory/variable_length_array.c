// expect: unsafe
// error-line: 15
// level: core

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 8)
    return 0;
  int a[n];
  for (int i = 0; i < n; i++)
    a[i] = i;
  assert(sizeof a != 5 * sizeof(int) || a[4] != 4);
  return 0;
}
