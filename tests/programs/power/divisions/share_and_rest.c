// expect: safe

// Shares times people plus what is left over is the whole.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int coins = __VERIFIER_nondet_int();
  int share, rest;

  if (coins < 0) {
    return 0;
  }
  share = coins / 6;
  rest = coins % 6;
  while (rest > 0) {
    rest--;
    coins--;
  }
  assert(coins == 6 * share);
  return 0;
}
