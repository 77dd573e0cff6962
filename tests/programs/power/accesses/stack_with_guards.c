// expect: safe
// property: valid-deref

// Push and pop with their guards: the index is between zero and the size.

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int stack[32];
  int depth = 0;

  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      if (depth < 32) {
        stack[depth++] = 7;
      }
    } else if (depth > 0) {
      depth--;
      stack[depth] = 0;
    }
  }
  return 0;
}
