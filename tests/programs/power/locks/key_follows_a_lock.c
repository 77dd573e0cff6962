// expect: safe

// The key was cut for the lock and both are changed together.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int lock = __VERIFIER_nondet_int();
  int key = lock;

  for (int i = 0; i < 100; i++) {
    if (__VERIFIER_nondet_int()) {
      lock = __VERIFIER_nondet_int();
      key = lock;
    }
  }
  assert(key == lock);
  return 0;
}
