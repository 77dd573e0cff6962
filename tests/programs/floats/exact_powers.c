// expect: safe
// level: core
// unknown: gps* (the parts of a number have no formula)
// unknown: impact (the parts of a number have no formula)
// unknown: cra (the parts of a number have no formula)
// unknown: predabs (the parts of a number have no formula)
// unknown: random (it proves nothing)

#include <assert.h>
#include <math.h>
#include <stdlib.h>

int main(void) {
  assert(pow(2.0, 10.0) == 1024.0 && pow(2.0, -3.0) == 0.125);
  assert(ldexp(1.0, 3) == 8.0 && ilogb(8.0) == 3 && logb(0.25) == -2.0);
  assert(nextafter(1.0, 2.0) == 1.0 + 0x1p-52 && nextafterf(0.0f, -1.0f) == -0x1p-149f);
  assert(strtod("-12.5e2", 0) == -1250.0 && atof("0.1") == 0.1);
  return 0;
}
