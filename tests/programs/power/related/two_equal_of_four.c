// expect: unsafe
// error-line: 18

// The first and the last input are equal, though the two between lie above
// them.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int first = __VERIFIER_nondet_int();
  int second = __VERIFIER_nondet_int();
  int third = __VERIFIER_nondet_int();
  int last = __VERIFIER_nondet_int();

  if (first < second && second < third && third > last) {
    assert(first != last || first < 777000);
  }
  return 0;
}
