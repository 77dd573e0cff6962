// expect: safe
// level: core
// unknown: random (proves nothing)
// skip: gps* (all its runs decide it; what formulas make of it is another matter)
// skip: cra (as gps)
// unknown: impact (its formulas allow more than the program does)
// unknown: predabs (it does not know memory or bits exactly)

// An input of 2^32 values: two ways through the program.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int seen[2];

int main(void) {
  int input = __VERIFIER_nondet_int();
  int *place = input % 7 == 3 ? &seen[0] : &seen[1];
  if (input > 10)
    place = &seen[0];
  else
    place = &seen[1];
  *place = 5;
  assert((seen[0] ^ seen[1]) == 5);
  return 0;
}
