// expect: unsafe
// error-line: 32

// A file is opened, closed, and then read although it is closed.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { CLOSED, OPEN, BROKEN };

int main(void) {
  int file = CLOSED, opened = 0;

  while (opened < 3) {
    switch (__VERIFIER_nondet_int()) {
    case 1001:
      file = OPEN;
      opened++;
      break;
    case 1002:
      file = CLOSED;
      break;
    case 1003:
      if (file == CLOSED && opened == 2) {
        file = BROKEN;
      }
      break;
    default:
      break;
    }
    assert(file != BROKEN);
  }
  return 0;
}
