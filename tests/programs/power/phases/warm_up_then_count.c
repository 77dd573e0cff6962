// expect: safe

// Nothing is counted in the first phase, and everything in the second.

#include <assert.h>

int main(void) {
  int heat = 0, made = 0, total = 0;

  while (total < 500) {
    total++;
    if (heat < 120) {
      heat++;
    } else {
      made++;
    }
  }
  assert(heat == 120 && made == 380);
  return 0;
}
