// expect: safe

// A continue in a for still takes the step, so the loop ends at its bound.

#include <assert.h>

int main(void) {
  int i, worked = 0;

  for (i = 0; i < 90; i += 3) {
    if (i % 2 == 0) {
      continue;
    }
    worked++;
  }
  assert(i == 90 && worked <= 30);
  return 0;
}
