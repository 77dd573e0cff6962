// expect: safe

// One pass of a bubble sort leaves the largest element at the end.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int heights[4];

  for (int i = 0; i < 4; i++) {
    heights[i] = __VERIFIER_nondet_int();
  }
  for (int i = 0; i + 1 < 4; i++) {
    if (heights[i] > heights[i + 1]) {
      int held = heights[i];
      heights[i] = heights[i + 1];
      heights[i + 1] = held;
    }
  }
  for (int i = 0; i < 4; i++) {
    assert(heights[i] <= heights[3]);
  }
  return 0;
}
