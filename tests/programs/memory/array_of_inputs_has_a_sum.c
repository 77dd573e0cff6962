// expect: unsafe
// error-line: 17
// level: slow
// unknown: random (one input in four thousand millions, five times)

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[5];
  for (int i = 0; i < 5; i++)
    a[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 4; i++)
    if (a[i + 1] != a[i] + 111)
      return 0;
  int sum = a[0] + a[4];
  assert(sum != 1000);
  return 0;
}
