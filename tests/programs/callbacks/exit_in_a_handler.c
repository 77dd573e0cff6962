// expect: unknown
// level: core

// C leaves it undefined to exit twice; it is named.
#include <assert.h>
#include <stdlib.h>

static int ended;
static void leave(void) {
  ended = 1;
  exit(1);
}

int main(void) {
  atexit(leave);
  assert(!ended);
  return 0;
}
