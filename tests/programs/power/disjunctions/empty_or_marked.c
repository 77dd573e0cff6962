// expect: safe

// A slot is empty, or holds a marked number: nothing else.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int slot = 0;

  while (__VERIFIER_nondet_int()) {
    int value = __VERIFIER_nondet_int();
    if (value > 1000) {
      slot = value;
    } else {
      slot = 0;
    }
  }
  assert(slot == 0 || slot > 1000);
  return 0;
}
