// expect: unsafe
// error-line: 16

// The callee stops counting at 99999: one less than the caller thinks.

#include <assert.h>

static int next(int value) { return value < 99999 ? value + 1 : value; }

int main(void) {
  int ticket = 0;

  for (int i = 0; i < 100000; i++) {
    ticket = next(ticket);
  }
  assert(ticket == 100000);
  return 0;
}
