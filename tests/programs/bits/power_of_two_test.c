// expect: unsafe
// error-line: 18
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)

#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  int passes = (x & (x - 1)) == 0;
  int found = 0;
  for (int i = 0; i < 32; i++)
    found |= x == 1u << i;
  assert(passes == found);
  return 0;
}
