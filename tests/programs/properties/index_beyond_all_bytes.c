// expect: unsafe
// error-line: 15
// level: core
// property: valid-deref

extern long __VERIFIER_nondet_long(void);

int a[4];

// The index times the size of an element is no number of bytes.
int main(void) {
  long k = __VERIFIER_nondet_long();

  if (k == 0x4000000000000000L) {
    a[k] = 1;
  }
  return 0;
}
