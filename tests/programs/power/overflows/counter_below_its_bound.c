// expect: safe
// property: no-overflow

// A counter that is compared before each step never passes the bound.

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int bound = __VERIFIER_nondet_int();
  int steps = 0, twice = 0;

  if (bound > 1000000000) {
    return 0;
  }
  while (steps < bound) {
    steps++;
    twice += 2;
  }
  return 0;
}
