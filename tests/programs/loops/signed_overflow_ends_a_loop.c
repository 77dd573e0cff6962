// expect: safe
// level: core
// unknown: random (it finds violations)

// The only run is undefined after 2^31 turns: behind them there is nothing to find.

#include <assert.h>

int main(void) {
  int i = 0;

  while (i >= 0) {
    i++;
  }
  assert(i >= 0);
  return 0;
}
