// expect: unsafe
// error-line: 10
// level: core
// property: no-overflow

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int m = n + 1;
  return m == n;
}
