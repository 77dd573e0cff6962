// expect: unsafe
// error-line: 13
// level: core
// property: valid-deref

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[10] = {0};
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 10)
    return 0;
  return a[n];
}
