// expect: unsafe
// error-line: 19
// level: core

#include <assert.h>

static int leaves;

/* Two calls from each, one of them in a loop. */
static void grow(int height) {
  if (height == 0) {
    leaves++;
    return;
  }
  grow(height - 1);
  for (int i = 0; i < 1; i++)
    grow(height - 1);
  if (height == 6)
    assert(leaves != 64);
}

int main(void) {
  grow(6);
  return 0;
}
