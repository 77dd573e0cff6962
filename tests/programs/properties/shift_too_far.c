// expect: unsafe
// error-line: 10
// level: core
// property: shift

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  return (1u << n) == 0;
}
