// expect: unsafe
// error-line: 18

// Slot and key have to fit: the slot is chosen by one input and the key by
// another.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  int slots[5] = {311, 742, 95, 1060, 48};
  unsigned slot = __VERIFIER_nondet_uint();
  int key = __VERIFIER_nondet_int();

  if (slot < 5) {
    assert(!(slots[slot] == key && key > 1000));
  }
  return 0;
}
