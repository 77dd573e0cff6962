// expect: unsafe
// error-line: 20

// The reply must repeat the challenge, after a loop that changes it.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int challenge = __VERIFIER_nondet_int();
  int expected = challenge;

  if (challenge < 0 || challenge > 1000) {
    return 0;
  }
  for (int i = 0; i < 50; i++) {
    expected += 3;
  }
  assert(__VERIFIER_nondet_int() != expected || challenge < 900);
  return 0;
}
