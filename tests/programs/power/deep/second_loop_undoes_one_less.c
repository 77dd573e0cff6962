// expect: unsafe
// error-line: 17

// The second loop starts at one: a unit is left after 70000 of them.

#include <assert.h>

int main(void) {
  int stock = 0;

  for (int i = 0; i < 70000; i++) {
    stock++;
  }
  for (int i = 1; i < 70000; i++) {
    stock--;
  }
  assert(stock == 0);
  return 0;
}
