// expect: unsafe
// error-line: 12
// level: core

#include <assert.h>
#include <complex.h>

int main(void) {
  double complex z = 5.0 + 2.0 * I;
  __imag__ z += 1;
  assert(cimag(z) == 3.0 && cimag(conj(z)) == -3.0);
  assert(creal(z) != 5.0);
  return 0;
}
