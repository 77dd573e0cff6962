// expect: safe

// The maximum so far is not below any element already seen.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int marks[6];
  int best;

  for (int i = 0; i < 6; i++) {
    marks[i] = __VERIFIER_nondet_int();
  }
  best = marks[0];
  for (int i = 1; i < 6; i++) {
    if (marks[i] > best) {
      best = marks[i];
    }
  }
  for (int i = 0; i < 6; i++) {
    assert(marks[i] <= best);
  }
  return 0;
}
