// expect: safe

// Only a valid answer ends the loop.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int answer, asked = 0;

  do {
    answer = __VERIFIER_nondet_int();
    if (asked < 100) {
      asked++;
    }
  } while (answer < 1 || answer > 6);
  assert(asked >= 1 && answer % 7 != 0);
  return 0;
}
