// expect: safe
// level: core
// unknown: cra (undefined behaviour is no part of its summaries)
// unknown: random (it finds violations)

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int places = __VERIFIER_nondet_int();
  int mask = 3 << places;
  assert(places >= 0 && places < 30); // three has two bits
  return 0;
}
