// expect: unsafe
// error-line: 13
// level: core
// property: valid-deref

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[8];
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 8)
    return 0;
  a[n] = 1;
  return 0;
}
