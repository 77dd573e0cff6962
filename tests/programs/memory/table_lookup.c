// expect: unsafe
// error-line: 14
// level: core

#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);

static const unsigned char days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

int main(void) {
  unsigned month = __VERIFIER_nondet_uint();
  if (month >= 12)
    return 0;
  assert(days[month] != 28);
  return 0;
}
