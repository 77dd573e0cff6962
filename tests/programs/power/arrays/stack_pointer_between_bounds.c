// expect: safe

// Pushes and pops are guarded: the depth stays between zero and the size.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int stack[16];
  int depth = 0;

  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      if (depth < 16) {
        stack[depth] = depth;
        depth++;
      }
    } else if (depth > 0) {
      depth--;
    }
    assert(depth >= 0 && depth <= 16);
  }
  return 0;
}
