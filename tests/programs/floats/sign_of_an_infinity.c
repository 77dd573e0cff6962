// expect: unsafe
// error-line: 12
// level: core
// `isinf` gives a sign; of the builtin below it, compilers give only that it is not zero.

#include <assert.h>
#include <math.h>

int main(void) {
  double x = -INFINITY;
  assert(isinf(x) == -1);
  assert(isinf(x) == 1);
  return 0;
}
