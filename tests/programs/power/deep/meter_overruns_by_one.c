// expect: unsafe
// error-line: 14

// Steps of seven do not hit 100000 exactly: the meter ends at 100002.

#include <assert.h>

int main(void) {
  int reading = 0;

  while (reading < 100000) {
    reading += 7;
  }
  assert(reading == 100000);
  return 0;
}
