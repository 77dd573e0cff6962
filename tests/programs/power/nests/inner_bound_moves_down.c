// expect: safe

// The inner loop's bound shrinks as the outer one grows; their sum is bounded.

#include <assert.h>

int main(void) {
  for (int i = 0; i < 100; i++) {
    for (int j = 0; j < 100 - i; j++) {
      assert(i + j < 100);
    }
  }
  return 0;
}
