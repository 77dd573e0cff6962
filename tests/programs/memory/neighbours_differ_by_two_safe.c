// expect: safe
// level: slow
// unknown: random (proves nothing)
// skip: gps-* (without cells; when they give up is a matter of time)
// skip: impact (as gps-paper)
// skip: cra (as gps-paper)
// skip: predabs (as gps-paper)

// What holds of all cells is needed at two of them that are neighbours.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  static int a[1000];
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 1000)
    return 0;
  for (int i = 0; i < n; i++)
    a[i] = 2 * i;
  for (int j = n - 1; j > 0; j--)
    assert(a[j] == a[j - 1] + 2);
  return 0;
}
