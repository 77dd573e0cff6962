// expect: unsafe
// error-line: 10
// level: core
// property: division-by-zero

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  return 100 / (n - 5);
}
