// expect: safe

// The meter moves in steps of three: its end is exact because the bound is a
// multiple.

#include <assert.h>

int main(void) {
  int reading = 0;

  while (reading < 30000) {
    reading += 3;
  }
  assert(reading == 30000);
  return 0;
}
