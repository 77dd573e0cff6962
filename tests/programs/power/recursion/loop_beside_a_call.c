// expect: safe

// A loop in the recursive procedure, and one in the caller that adds up what it returns.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int rise(int n) {
  int s = 0;

  if (n <= 0) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    s++;
  }
  return s + rise(n - 1);
}

int main(void) {
  int sum = 0, count = 0;
  int n = __VERIFIER_nondet_int();

  if (n <= 100) {
    for (int i = 0; i < n; i++) {
      sum += rise(i);
      count += i;
    }
    assert(sum >= count);
  }
  return 0;
}
