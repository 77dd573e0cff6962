// expect: unsafe
// error-line: 9
// level: core

#include <assert.h>
#include <math.h>
int main(void) {
  int i = 0;
  double f = frexp(8.0, &i); assert(f != 0.5 || i != 4);
  return 0;
}
