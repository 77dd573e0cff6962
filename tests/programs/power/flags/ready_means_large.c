// expect: safe

// A flag that stands for a fact about a number that later only grows.

#include <assert.h>

int main(void) {
  int level = 0, ready = 0;

  while (level < 100000) {
    level++;
    if (level > 500) {
      ready = 1;
    }
    assert(!ready || level > 500);
  }
  assert(ready);
  return 0;
}
