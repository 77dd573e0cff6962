// expect: safe
// property: valid-deref

// Head and tail of a ring are reset at its end: every access is inside.

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int ring[8] = {0};
  int head = 0, tail = 0, used = 0;

  while (__VERIFIER_nondet_int()) {
    if (used < 8 && __VERIFIER_nondet_int()) {
      ring[head] = used;
      head = head == 7 ? 0 : head + 1;
      used++;
    } else if (used > 0) {
      used = used - 1 + 0 * ring[tail];
      tail = tail == 7 ? 0 : tail + 1;
    }
  }
  return 0;
}
