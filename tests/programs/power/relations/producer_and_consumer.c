// expect: safe

// What has been produced is consumed or in the buffer, which has room for ten.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int produced = 0, consumed = 0, buffered = 0;

  while (produced < 100000) {
    if (buffered < 10 && __VERIFIER_nondet_int()) {
      produced++;
      buffered++;
    } else if (buffered > 0) {
      consumed++;
      buffered--;
    }
    assert(produced - consumed <= 10);
  }
  return 0;
}
