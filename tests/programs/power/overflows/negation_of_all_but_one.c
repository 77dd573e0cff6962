// expect: safe
// property: no-overflow

// All ints but one have a negative.

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int sign = 1;

  while (__VERIFIER_nondet_int()) {
    int value = __VERIFIER_nondet_int();
    if (value == -2147483647 - 1) {
      continue;
    }
    sign = -sign;
    value = -value;
    if (value < 0) {
      value = -value;
    }
  }
  return 0;
}
