// expect: safe

// Of every ten one goes away: kept is nine times given.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int kept = 0, given = 0, sheaves = __VERIFIER_nondet_int();

  if (sheaves > 1000000) {
    return 0;
  }
  while (sheaves >= 10) {
    sheaves -= 10;
    kept += 9;
    given += 1;
  }
  assert(kept == 9 * given);
  return 0;
}
