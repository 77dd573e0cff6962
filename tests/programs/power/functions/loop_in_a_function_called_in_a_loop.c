// expect: safe

// The callee's loop restores what the caller's loop relies on.

#include <assert.h>

static int drain(int level) {
  while (level > 0) {
    level--;
  }
  return level;
}

int main(void) {
  int level = 0;

  for (int i = 0; i < 100; i++) {
    level = drain(i);
    assert(level == 0);
  }
  return 0;
}
