// expect: safe

// Coins and tokens grow in the ratio 5 to 3 whatever the number of rounds.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int rounds = __VERIFIER_nondet_int();
  int coins = 0, tokens = 0;

  if (rounds > 100000) {
    return 0;
  }
  for (int i = 0; i < rounds; i++) {
    coins += 5;
    tokens += 3;
  }
  assert(3 * coins == 5 * tokens);
  return 0;
}
