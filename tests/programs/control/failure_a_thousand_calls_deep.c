// expect: unsafe
// error-line: 12
// level: core
// skip: predabs (what it decides is a matter of time)

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

/* Every call but the last goes the same way: the path shows few of them. */
static void down(int n, int marked) {
  if (n == 0) {
    assert(marked != 2);
    return;
  }
  if (n % 400 == 0)
    marked++;
  down(n - 1, marked);
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 1000)
    down(n, 0);
  return 0;
}
