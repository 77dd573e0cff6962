// expect: safe
// level: core
// property: valid-deref
// skip: random (proves nothing)
// skip: impact (it unwinds a loop that never ends, and finds no label to cover it)
// skip: predabs (as impact)
// skip: gps-paper (as impact)
// skip: gps-nogas-nosum (as impact)

// A pointer goes from one buffer to the other for ever, and never past the end of either.

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[4] = {0}, b[4] = {0};
  int *front = a, *back = b;
  unsigned at = 0;
  for (;;) {
    front[at & 3] = __VERIFIER_nondet_int();
    at++;
    if ((at & 3) == 0) {
      int *other = front;
      front = back;
      back = other;
    }
    if (back[at & 3] == 99)
      return 0;
  }
}
