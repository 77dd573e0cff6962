// expect: unsafe
// error-line: 26
// level: core

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int level;

static void up(void) {
  if (level < 4)
    level++;
}
static void down(void) { level--; }
static void clear(void) { level = 0; }

static void (*handlers[3])(void) = {up, down, clear};

int main(void) {
  handlers[2] = up;
  while (__VERIFIER_nondet_int()) {
    int event = __VERIFIER_nondet_int();
    if (event >= 0 && event < 3)
      handlers[event]();
  }
  assert(level <= 3);
  return 0;
}
