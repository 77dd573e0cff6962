// expect: unsafe
// error-line: 9
// level: core
// property: no-overflow

extern int __VERIFIER_nondet_int(void);

static int absolute(int n) {
  return n < 0 ? -n : n;
}

int main(void) { return absolute(__VERIFIER_nondet_int()) < 0; }
