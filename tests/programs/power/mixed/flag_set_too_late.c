// expect: unsafe
// error-line: 20

// The flag is set only above 500, but the level of exactly 500 counts too.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int level = 0, ready = 0;
  int stop = __VERIFIER_nondet_int();

  while (level < 1000 && level != stop) {
    level++;
    if (level > 500) {
      ready = 1;
    }
  }
  assert(ready || level < 500);
  return 0;
}
