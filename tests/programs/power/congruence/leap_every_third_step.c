// expect: safe

// One counter is the other modulo three, kept by a reset.

#include <assert.h>

int main(void) {
  int steps = 0, beat = 0;

  while (steps < 600) {
    steps++;
    beat++;
    if (beat == 3) {
      beat = 0;
    }
  }
  assert(beat == 0);
  return 0;
}
