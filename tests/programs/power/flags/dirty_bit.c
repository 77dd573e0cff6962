// expect: safe

// The cache differs from the store only while the dirty bit is set.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int store = 0, cache = 0, dirty = 0;

  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      cache = __VERIFIER_nondet_int();
      dirty = 1;
    } else if (dirty) {
      store = cache;
      dirty = 0;
    }
    assert(dirty || store == cache);
  }
  return 0;
}
