// expect: safe
// property: no-overflow

// The middle is found by the distance of the ends, whose sum would overflow.

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int low = 0, high = __VERIFIER_nondet_int();

  if (high < 0) {
    return 0;
  }
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (__VERIFIER_nondet_int()) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return 0;
}
