// expect: unsafe
// error-line: 33

// The reader's count may fall to zero while a second reader is inside.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int readers = 0, inside = 0, writer = 0;

  while (__VERIFIER_nondet_int()) {
    switch (__VERIFIER_nondet_int()) {
    case 0:
      if (!writer && inside < 2) {
        readers = 1;
        inside++;
      }
      break;
    case 1:
      if (inside > 0) {
        readers = 0;
        inside--;
      }
      break;
    case 2:
      writer = readers == 0;
      break;
    default:
      writer = 0;
    }
    assert(!(writer && inside > 0));
  }
  return 0;
}
