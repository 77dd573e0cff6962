// expect: safe
// level: core
// unknown: random (proves nothing)
// skip: gps* (all its runs decide it; what formulas make of it is another matter)
// skip: cra (as gps)
// skip: impact (how far it gets is a matter of time)
// skip: predabs (gives up, in more than a second)

// Bit operations on bytes in memory: no formula describes them well, one run decides.
#include <assert.h>

static unsigned char table[32];

int main(void) {
  unsigned state = 1;
  for (int i = 0; i < 32; i++) {
    state = state * 1103515245u + 12345u;
    table[i] = (unsigned char)(state >> 16);
  }
  unsigned a = 1, b = 0;
  for (int i = 0; i < 32; i++) {
    a = (a + table[i]) % 65521u;
    b = (b + a) % 65521u;
  }
  unsigned again = 0, low = 1;
  for (unsigned char *at = table; at != table + 32; at++) {
    low = (low + *at) % 65521u;
    again = (again + low) % 65521u;
  }
  assert((b << 16 | a) == (again << 16 | low));
  return 0;
}
