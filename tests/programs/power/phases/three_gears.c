// expect: safe

// Three phases with three speeds: distance is a piecewise linear function of
// time.

#include <assert.h>

int main(void) {
  int time = 0, distance = 0;

  while (time < 30) {
    if (time < 10) {
      distance += 1;
    } else if (time < 20) {
      distance += 2;
    } else {
      distance += 3;
    }
    time++;
  }
  assert(distance == 60);
  return 0;
}
