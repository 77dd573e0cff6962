// expect: safe

// The guest is in one of three rooms, of which the numbers follow no pattern.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int room = 17;

  while (__VERIFIER_nondet_int()) {
    if (room == 17) {
      room = 4;
    } else if (room == 4) {
      room = 230;
    } else {
      room = 17;
    }
    assert(room == 4 || room == 17 || room == 230);
  }
  return 0;
}
