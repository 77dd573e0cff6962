// expect: unsafe
// error-line: 18

// 5 to 3 holds in all iterations but the last, which counts double.

#include <assert.h>

int main(void) {
  int coins = 0, tokens = 0;

  for (int i = 0; i < 20000; i++) {
    coins += 5;
    tokens += 3;
    if (i == 19999) {
      tokens += 3;
    }
  }
  assert(3 * coins == 5 * tokens);
  return 0;
}
