// expect: unsafe
// error-line: 15
// level: core
// property: no-overflow

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[3];
  for (int i = 0; i < 3; i++) {
    a[i] = __VERIFIER_nondet_int();
    if (a[i] < 0 || a[i] > 1000000000)
      return 0;
  }
  return a[0] + a[1] + a[2];
}
