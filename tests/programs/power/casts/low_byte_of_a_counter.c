// expect: safe

// The low byte is the counter modulo 256, whatever the counter is.

#include <assert.h>

int main(void) {
  unsigned counter = 0;
  unsigned char low = 0;

  while (counter < 1000) {
    counter++;
    low++;
  }
  assert(low == (unsigned char)counter);
  return 0;
}
