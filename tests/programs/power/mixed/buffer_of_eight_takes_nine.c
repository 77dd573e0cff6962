// expect: unsafe
// error-line: 16

// The test for a full buffer comes after the increment.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int produced = 0, buffered = 0;

  while (produced < 10000) {
    produced++;
    buffered++;
    assert(buffered <= 8);
    if (buffered > 8 || __VERIFIER_nondet_int() > 0) {
      buffered = 0;
    }
  }
  return 0;
}
