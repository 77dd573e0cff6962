// expect: safe

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int a[2000];
  for (int i = 0; i < 2000; i++) {
    a[i] = __VERIFIER_nondet_int();
  }
  int largest = a[0];
  for (int i = 1; i < 2000; i++) {
    if (a[i] > largest) {
      largest = a[i];
    }
  }
  for (int i = 0; i < 2000; i++) {
    assert(a[i] <= largest);
  }
  return 0;
}
