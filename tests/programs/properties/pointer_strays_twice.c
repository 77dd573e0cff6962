// expect: unsafe
// error-line: 19
// level: core
// data-model: ILP32
// property: valid-deref

// The two offsets together do not fit a pointer's width. That is no reason to take the run to end
// before the access.

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[2] = {0}, b[2] = {0};
  int *p = __VERIFIER_nondet_int() ? a : b;
  int i = __VERIFIER_nondet_int();
  if (i == 0x1fffffff) {
    p += i;
    p += i;
    return *p;
  }
  return 0;
}
