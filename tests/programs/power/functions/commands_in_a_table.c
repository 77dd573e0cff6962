// expect: safe

// Commands with their limits in a table that a loop looks through.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct command {
  int name;
  int (*run)(int);
};

static int more(int n) { return n < 100 ? n + 1 : n; }
static int less(int n) { return n > 0 ? n - 1 : n; }

static const struct command commands[] = {{'+', more}, {'-', less}, {0, 0}};

int main(void) {
  int value = 0;
  while (__VERIFIER_nondet_int()) {
    int name = __VERIFIER_nondet_int();
    for (const struct command *command = commands; command->run; command++)
      if (command->name == name) {
        value = command->run(value);
        break;
      }
  }
  assert(value >= 0 && value <= 100);
  return 0;
}
