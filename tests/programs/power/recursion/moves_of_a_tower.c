// expect: safe

// The moves of a tower are counted in a global: at least one for each disc.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int moves;

static void move(int discs) {
  if (discs <= 0) {
    return;
  }
  move(discs - 1);
  moves++;
  move(discs - 1);
}

int main(void) {
  int discs = __VERIFIER_nondet_int();

  if (discs >= 0 && discs <= 20) {
    move(discs);
    assert(moves >= discs);
  }
  return 0;
}
