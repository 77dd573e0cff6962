// expect: safe

// The inner polling loop leaves the device ready, so every command finds it so.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int ready = 0, commands = 0;

  do {
    do {
      ready = __VERIFIER_nondet_int() != 0;
    } while (!ready);
    assert(ready);
    ready = 0;
    commands++;
  } while (commands < 50);
  assert(commands == 50);
  return 0;
}
