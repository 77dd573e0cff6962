// expect: safe

// Two flags are never up at once, since each is raised only when the other is
// down.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int reading = 0, writing = 0;

  while (__VERIFIER_nondet_int()) {
    int request = __VERIFIER_nondet_int();
    if (request == 1 && !writing) {
      reading = 1;
    } else if (request == 2 && !reading) {
      writing = 1;
    } else if (request == 3) {
      reading = 0;
    } else if (request == 4) {
      writing = 0;
    }
    assert(reading + writing <= 1);
  }
  return 0;
}
