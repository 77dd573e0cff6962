// expect: safe

// One loop, split by jumps into three: what is not a multiple of three becomes one.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define ROUND(after_one, after_two, after_four, after_five) \
  if (!__VERIFIER_nondet_int()) {                           \
    goto end;                                               \
  }                                                         \
  if (amount % 3 == 1) {                                    \
    amount += 2;                                            \
    rounded = 1;                                            \
    goto after_one;                                         \
  }                                                         \
  if (amount % 3 == 2) {                                    \
    amount += 1;                                            \
    rounded = 1;                                            \
    goto after_two;                                         \
  }                                                         \
  rounded = 0;                                              \
  if (__VERIFIER_nondet_int()) {                            \
    amount += 4;                                            \
    goto after_four;                                        \
  }                                                         \
  amount += 5;                                              \
  goto after_five

int main(void) {
  unsigned amount = __VERIFIER_nondet_uint();
  int rounded = 0;

a:
  ROUND(a, b, c, b);
b:
  ROUND(a, b, a, b);
c:
  ROUND(c, b, a, c);
end:
  assert(!rounded || amount % 3 == 0);
  return 0;
}
