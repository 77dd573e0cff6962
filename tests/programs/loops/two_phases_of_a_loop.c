// expect: unsafe
// error-line: 21
// level: core
// unknown: gps-paper (needs leaps)
// skip: impact (how far it gets is a matter of time)
// skip: predabs (what it decides is a matter of time)

#include <assert.h>

int main(void) {
  long long turn = 0, first = 0, second = 0;

  while (turn < 1000000000000LL) {
    if (turn < 500000000000LL) {
      first += 3;
    } else {
      second += 2;
    }
    turn++;
  }
  assert(first + second != 2500000000000LL);
  return 0;
}
