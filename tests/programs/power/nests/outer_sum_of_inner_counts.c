// expect: safe

// The inner loop runs as often as the outer index says, at most the bound.

#include <assert.h>

int main(void) {
  int total = 0;

  for (int i = 0; i < 20; i++) {
    int inner = 0;
    while (inner < i) {
      inner++;
    }
    assert(inner == i);
    total += inner;
  }
  assert(total <= 20 * 20);
  return 0;
}
