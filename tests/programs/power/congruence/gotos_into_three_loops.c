// expect: safe

// Rounds that jump into each other: there is no order in which each loop has one entry.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define ROUND(aligned, begun, ended, lost) \
  if (__VERIFIER_nondet_int()) {           \
    goto end;                              \
  }                                        \
  if (state == UNKNOWN) {                  \
    total -= total % 3;                    \
    state = WHOLE;                         \
    goto aligned;                          \
  }                                        \
  if (state == WHOLE && total < 1000000) { \
    total++;                               \
    state = BEGUN;                         \
    goto begun;                            \
  }                                        \
  if (state == BEGUN) {                    \
    total += 2;                            \
    state = WHOLE;                         \
    goto ended;                            \
  }                                        \
  state = UNKNOWN;                         \
  goto lost

int main(void) {
  enum { WHOLE, BEGUN, UNKNOWN } state = UNKNOWN;
  int total = __VERIFIER_nondet_int();

  ROUND(b, b, a, b);
a:
  ROUND(b, c, c, c);
b:
  ROUND(c, a, b, a);
c:
  ROUND(c, a, a, a);
end:
  assert(state != WHOLE || total % 3 == 0);
  return 0;
}
