// expect: safe

// Two 8-bit serial numbers at most a hundred apart compare right by their
// difference.

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char older = __VERIFIER_nondet_uchar();
  unsigned char newer = older;
  int ahead = 0;

  while (ahead < 100) {
    newer++;
    ahead++;
    assert((signed char)(newer - older) > 0);
  }
  return 0;
}
