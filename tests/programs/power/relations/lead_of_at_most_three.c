// expect: safe

// One runner waits whenever it leads by three.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int hare = 0, tortoise = 0;

  while (tortoise < 10000) {
    if (hare - tortoise < 3 && __VERIFIER_nondet_int()) {
      hare++;
    } else if (tortoise < hare) {
      tortoise++;
    } else {
      hare++;
    }
    assert(tortoise <= hare && hare <= tortoise + 3);
  }
  return 0;
}
