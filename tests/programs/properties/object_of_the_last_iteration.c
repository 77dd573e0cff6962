// expect: unsafe
// error-line: 18
// level: core
// property: valid-deref
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

// Each iteration has a new `x`; the old one is gone, be it at the same address.

int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    int x = i;
    x++;
    if (p)
      *p = 7;
    p = &x;
  }
  return 0;
}
