// expect: safe
// level: slow
// property: no-overflow
// unknown: random (cannot prove)
// skip: impact (how far it gets is a matter of time)
// skip: predabs (what it decides is a matter of time)

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[4] = {0};
  for (int i = 0; i < 4; i++) {
    int n = __VERIFIER_nondet_int();
    if (n > -1000 && n < 1000)
      a[i] = n;
  }
  return a[0] + a[1] * 2 - a[2] + a[3];
}
