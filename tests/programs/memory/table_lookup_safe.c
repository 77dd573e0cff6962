// expect: safe
// level: core
// unknown: random (cannot prove)

#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void) {
  unsigned month = __VERIFIER_nondet_uint();
  if (month >= 12)
    return 0;
  int length = days[month];
  assert(length >= 28 && length <= 31);
  assert(length != 28 || month == 1);
  return 0;
}
