// expect: safe
// level: core
// unknown: gps* (floating-point numbers have no formula)
// unknown: impact (floating-point numbers have no formula)
// unknown: cra (floating-point numbers have no formula)
// unknown: predabs (floating-point numbers have no formula)
// unknown: random (it proves nothing)
// The ends of a range are literals of a longer format that are converted.

#include <assert.h>
#include <float.h>

int main(void) {
  double most = DBL_MAX;
  assert(most > 1e308 && most * 2 > most && DBL_MIN > 0 && 1 + DBL_EPSILON > 1);
  return 0;
}
