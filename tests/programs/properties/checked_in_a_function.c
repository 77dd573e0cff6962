// expect: unsafe
// error-line: 9
// level: core
// property: valid-deref

extern unsigned __VERIFIER_nondet_uint(void);

static int sum(const int *a, unsigned from, unsigned to) {
  return a[from] + a[to];
}

int main(void) {
  int a[6] = {1, 2, 3, 4, 5, 6};
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 5)
    return 0;
  return sum(a, 5 - n, n + 1);
}
