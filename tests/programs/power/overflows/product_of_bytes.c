// expect: safe
// property: no-overflow

// A product of two bytes fits, and so do a thousand of them.

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  int sum = 0;

  for (int i = 0; i < 1000; i++) {
    unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    sum += a * b;
  }
  return 0;
}
