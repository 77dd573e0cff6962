// expect: safe

// Each move changes both coordinates so that their sum changes by an odd
// number.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int file = 0, rank = 0, moves = 0;

  while (moves < 1000) {
    if (__VERIFIER_nondet_int()) {
      file += 2;
      rank += 1;
    } else {
      file += 1;
      rank -= 2;
    }
    moves++;
  }
  assert((file + rank + moves) % 2 == 0);
  return 0;
}
