// expect: unsafe
// error-line: 24
// level: core
// unknown: gps-paper (an input in every iteration)
// skip: impact (how far it gets is a matter of time)
// skip: predabs (what it decides is a matter of time)

// Every iteration takes an input; whatever it is, the counter comes to its end.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int i, noise;

  for (i = 0; i < 2000000000; i++) {
    noise = __VERIFIER_nondet_int();
    if (noise < 5) {
      noise = noise / 2;
    }
  }
  noise = 0;
  assert(i + noise != 2000000000);
  return 0;
}
