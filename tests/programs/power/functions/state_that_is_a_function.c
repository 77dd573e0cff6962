// expect: safe

// A parser whose state is a function: it is inside as long as more was opened than closed.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

typedef void (*State)(int);

static void outside(int byte);
static void inside(int byte);

static State state = outside;
static int depth;

static void outside(int byte) {
  if (byte == '(') {
    depth = 1;
    state = inside;
  }
}

static void inside(int byte) {
  assert(depth > 0);
  if (byte == '(' && depth < 1000)
    depth++;
  if (byte == ')' && --depth == 0)
    state = outside;
}

int main(void) {
  while (__VERIFIER_nondet_int())
    state(__VERIFIER_nondet_int());
  assert(depth >= 0);
  return 0;
}
