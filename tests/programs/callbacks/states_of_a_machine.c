// expect: unsafe
// error-line: 14
// level: core

#include <assert.h>
extern int __VERIFIER_nondet_int(void);

typedef void (*State)(int);
static void closed(int input);
static void opened(int input);
static State state = closed;
static int is_open;
static void closed(int input) {
  assert(!is_open);
  if (input > 5) {
    is_open = 1;
    state = opened;
  }
}
static void opened(int input) {
  if (input < 0)
    state = closed;
}

int main(void) {
  for (;;)
    state(__VERIFIER_nondet_int());
}
