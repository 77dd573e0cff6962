// expect: safe

// A flag for the first iteration: initialisation happens once.

#include <assert.h>

int main(void) {
  int started = 0, opened = 0;

  for (int i = 0; i < 500; i++) {
    if (!started) {
      opened++;
      started = 1;
    }
  }
  assert(opened == 1);
  return 0;
}
