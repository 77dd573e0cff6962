// expect: safe
// level: core
// property: division-by-zero
// unknown: random (cannot prove)

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned d[3] = {2, 3, 5};
  unsigned n = __VERIFIER_nondet_uint();
  d[1] = n % 7 + 1;
  unsigned sum = 0;
  for (int i = 0; i < 3; i++)
    sum += n / d[i];
  return sum == 0;
}
