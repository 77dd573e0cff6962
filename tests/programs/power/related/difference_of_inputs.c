// expect: unsafe
// error-line: 16

// The inputs must differ by exactly a million, which no choice of boundaries
// gives.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int buy = __VERIFIER_nondet_int();
  int sell = __VERIFIER_nondet_int();

  if (buy > 0 && buy < 100000000 && sell > 0 && sell < 100000000) {
    assert(sell - buy != 1000003);
  }
  return 0;
}
