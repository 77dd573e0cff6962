// expect: safe

// Refilled whenever empty: the tank is within bounds wherever the trip ends.

#include <assert.h>

int main(void) {
  int tank = 0, trips = 0;

  while (trips < 1000) {
    if (tank == 0) {
      while (tank < 40) {
        tank += 8;
      }
    }
    tank -= 4;
    trips++;
    assert(tank >= 0 && tank <= 36);
  }
  return 0;
}
