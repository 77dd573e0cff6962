// expect: unsafe
// error-line: 13

// Fails in the last of a million iterations.

#include <assert.h>

int main(void) {
  int letter = 0;

  while (letter < 1000000) {
    letter++;
    assert(letter != 1000000);
  }
  return 0;
}
