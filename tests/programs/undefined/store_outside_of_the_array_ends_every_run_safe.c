// expect: safe
// level: core
// unknown: cra (undefined behaviour is no part of its summaries)
// unknown: random (it finds violations)

#include <assert.h>

int main(void) {
  int pair[2];
  pair[5] = 1;
  assert(0);
  return 0;
}
