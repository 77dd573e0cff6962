// expect: safe

// Steps of four from one: the remainder by four stays one, and seven has
// another.

#include <assert.h>

int main(void) {
  int at = 1;

  while (at < 1000000) {
    assert(at != 7);
    at += 4;
  }
  return 0;
}
