// expect: safe
// level: core
// property: valid-deref
// unknown: random (cannot prove)

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[8];
  for (int i = 0; i < 8; i++)
    a[i] = i;
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n >= 8)
    return 0;
  a[n] = 1;
  return a[7 - n];
}
