// expect: unsafe
// error-line: 19

// Five knocks in a row with nothing between open the door.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int knocks = 0;

  while (1) {
    int sound = __VERIFIER_nondet_int();
    if (sound == 0) {
      return 0;
    }
    knocks = sound == 4242 ? knocks + 1 : 0;
    assert(knocks < 5);
  }
}
