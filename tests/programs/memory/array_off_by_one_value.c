// expect: unsafe
// error-line: 15
// level: core
// unknown: predabs (formulas allow more than the program does)

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int squares[5];
  for (int i = 0; i < 5; i++)
    squares[i] = i * i;
  int n = __VERIFIER_nondet_int();
  if (n >= 0 && n < 5)
    assert(squares[n] < 16);
  return 0;
}
