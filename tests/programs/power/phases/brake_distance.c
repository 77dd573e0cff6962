// expect: safe

// The brakes are applied once the speed is at its limit, and never released.

#include <assert.h>

int main(void) {
  int speed = 0, braking = 0;

  do {
    if (!braking) {
      speed += 2;
      braking = speed >= 60;
    } else {
      speed -= 3;
    }
    assert(speed <= 60);
  } while (speed > 0);
  assert(speed == 0);
  return 0;
}
