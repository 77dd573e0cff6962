// expect: unsafe
// error-line: 14

// A sum kept in a short passes 32767 and comes out negative.

#include <assert.h>

int main(void) {
  short sum = 0;

  for (int i = 0; i < 700; i++) {
    sum = (short)(sum + 50);
  }
  assert(sum >= 0);
  return 0;
}
