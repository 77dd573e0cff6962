// expect: safe

// A timer of 16 bits read twice: the difference is right across the wrap.

#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
  unsigned short before = __VERIFIER_nondet_ushort();
  unsigned short now = before;
  unsigned steps = 0;

  while (steps < 1000) {
    now++;
    steps++;
  }
  assert((unsigned short)(now - before) == 1000);
  return 0;
}
