// expect: unknown
// level: core

// What a function without a body gives may be any function.
#include <assert.h>
typedef int (*Handler)(int);
extern Handler find_handler(int number);
static int one(int n) { return n ? 1 : 1; }
static Handler handlers[2] = {one, one};
extern int __VERIFIER_nondet_int(void);

int main(void) {
  Handler handler = __VERIFIER_nondet_int() ? find_handler(3) : handlers[1];
  if (handler)
    assert(handler(5) == 1);
  return 0;
}
