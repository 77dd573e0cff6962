// expect: safe

// Any number of readers or one writer, never both.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int readers = 0, writer = 0;

  while (__VERIFIER_nondet_int()) {
    switch (__VERIFIER_nondet_int()) {
    case 0:
      if (!writer && readers < 100) {
        readers++;
      }
      break;
    case 1:
      if (readers > 0) {
        readers--;
      }
      break;
    case 2:
      if (!writer && readers == 0) {
        writer = 1;
      }
      break;
    default:
      writer = 0;
    }
    assert(!writer || readers == 0);
  }
  return 0;
}
