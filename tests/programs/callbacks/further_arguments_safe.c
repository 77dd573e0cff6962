// expect: safe
// level: core
// unknown: random (cannot prove)
// unknown: gps* (further arguments are in memory)
// unknown: cra (as gps)
// unknown: impact (its formulas allow more than the program does)
// unknown: predabs (formulas allow more than the program does)

#include <assert.h>
#include <stdarg.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

static int largest(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  int most = 0;
  for (int i = 0; i < count; i++) {
    int next = va_arg(list, int);
    if (next > most)
      most = next;
  }
  va_end(list);
  assert(va_arg(again, int) <= most);
  va_end(again);
  return most;
}

int main(void) {
  int a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  int most = largest(3, a, b, 7);
  assert(most >= a && most >= b && most >= 7);
  return 0;
}
