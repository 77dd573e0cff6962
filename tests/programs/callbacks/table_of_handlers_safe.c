// expect: safe
// level: core
// unknown: random (cannot prove)

// What a table of handlers calls is one of its entries.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int level;

static void up(void) {
  if (level < 10)
    level++;
}
static void down(void) {
  if (level > 0)
    level--;
}
static void clear(void) { level = 0; }

static void (*const handlers[3])(void) = {up, down, clear};

int main(void) {
  while (__VERIFIER_nondet_int()) {
    int event = __VERIFIER_nondet_int();
    if (event >= 0 && event < 3)
      handlers[event]();
  }
  assert(level >= 0 && level <= 10);
  return 0;
}
