// expect: unsafe
// error-line: 18
// level: core
// unknown: gps-paper (needs leaps)
// skip: impact (how far it gets is a matter of time)
// skip: predabs (what it decides is a matter of time)

#include <assert.h>

int main(void) {
  unsigned char low = 0;
  unsigned long turn = 0;

  while (turn < 10000000000UL) {
    turn++;
    low += 3;
  }
  assert(low != 0);
  return 0;
}
