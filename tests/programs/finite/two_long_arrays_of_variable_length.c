// expect: safe
// level: slow
// unknown: random (proves nothing)
// skip: gps* (its only run decides it; what formulas make of it is another matter)
// skip: cra (as gps)
// skip: impact (how far it gets is a matter of time)
// skip: predabs (as impact)
// skip: la (as impact)
// skip: bmc (gives up, in more than a second)

// A sum over arrays that only the run knows. The run is a second's work, if it comes first.
#include <assert.h>

int length = 60000;

int main(void) {
  int up[length], down[length];
  int sum = 0;
  for (int i = 0; i < length; i++)
    up[i] = 3 * i;
  for (int i = 0; i < length; i++)
    down[length - 1 - i] = 3 * i;
  for (int i = 0; i < length; i++)
    sum += up[i] - down[length - 1 - i];
  assert(sum == 0);
  return 0;
}
