// expect: safe

// Aligned by eight; the wrap-around keeps it, since eight divides the range.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned offset = __VERIFIER_nondet_uint() * 8u;

  while (__VERIFIER_nondet_int()) {
    offset += 24;
    if (__VERIFIER_nondet_int()) {
      offset -= 40;
    }
  }
  assert(offset != 7);
  return 0;
}
