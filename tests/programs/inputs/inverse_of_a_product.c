// expect: unsafe
// error-line: 11
// level: core
// unknown: random (one value of 2^64 fails, and no number in the program is near it)

#include <assert.h>
extern unsigned long long __VERIFIER_nondet_ulonglong(void);

int main(void) {
  unsigned long long a = __VERIFIER_nondet_ulonglong();
  assert(a * 6364136223846793005ull + 1442695040888963407ull != 81985529216486895ull);
  return 0;
}
