// expect: unsafe
// error-line: 15
// level: core

#include <assert.h>

int main(void) {
  int i = 3, rounds = 0;
  goto middle;
  while (i < 5) {
    rounds++;
  middle:
    i++;
  }
  assert(rounds != 1);
  return 0;
}
