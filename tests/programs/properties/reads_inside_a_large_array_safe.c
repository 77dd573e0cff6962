// expect: safe
// level: core
// property: valid-deref
// unknown: random (cannot prove)
// unknown: gps-nogas-nosum (without a summary all thousand turns are unwound)

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[1000];
  for (int i = 0; i < 1000; i++)
    a[i] = 0;
  int sum = 0;
  for (int i = 999; i >= 0; i--)
    sum |= a[i];
  return sum;
}
