// expect: safe

// The window stays at its start until the counter passes 50, and follows it
// from then on.

#include <assert.h>

int main(void) {
  int packets = 0, window = 50;

  while (packets < 100) {
    packets++;
    if (packets > 50) {
      window++;
    }
  }
  assert(window == 100);
  return 0;
}
