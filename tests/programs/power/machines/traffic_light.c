// expect: safe

// Green is never followed by red: the state before is remembered.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum { RED, GREEN, YELLOW };

int main(void) {
  int light = RED, before = YELLOW;

  while (__VERIFIER_nondet_int()) {
    before = light;
    switch (light) {
    case RED:
      light = GREEN;
      break;
    case GREEN:
      light = YELLOW;
      break;
    default:
      light = RED;
    }
    assert(!(before == GREEN && light == RED));
  }
  return 0;
}
