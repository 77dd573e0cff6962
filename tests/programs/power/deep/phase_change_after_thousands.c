// expect: unsafe
// error-line: 17

// Nothing happens for 30000 iterations; then the pressure rises to the limit.

#include <assert.h>

int main(void) {
  int time = 0, pressure = 0;

  while (time < 40000) {
    if (time >= 30000) {
      pressure++;
    }
    time++;
  }
  assert(pressure < 10000);
  return 0;
}
