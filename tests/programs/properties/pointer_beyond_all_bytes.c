// expect: unknown
// level: core
// property: valid-deref

extern long __VERIFIER_nondet_long(void);

int a[4];

// The pointer is undefined before it is used, and that was not asked for; but the program is not
// safe either.
int main(void) {
  long k = __VERIFIER_nondet_long();

  if (k == 0x4000000000000000L) {
    int *p = a + k;
    *p = 1;
  }
  return 0;
}
