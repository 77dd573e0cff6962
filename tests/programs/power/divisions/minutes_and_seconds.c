// expect: safe

// A clock kept in seconds and shown as minutes and seconds.

#include <assert.h>

int main(void) {
  int seconds = 0, minutes_shown = 0, seconds_shown = 0;

  while (seconds < 3600) {
    seconds++;
    seconds_shown++;
    if (seconds_shown == 60) {
      seconds_shown = 0;
      minutes_shown++;
    }
  }
  assert(minutes_shown == seconds / 60);
  assert(seconds_shown == seconds % 60);
  return 0;
}
