// expect: safe
// level: core
// unknown: gps* (its target is read from memory)
// unknown: impact (its target is read from memory)
// unknown: cra (its target is read from memory)
// unknown: predabs (its target is read from memory)
// unknown: random (it proves nothing)

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  static void *const table[] = {&&zero, &&one, &&two};
  int in = __VERIFIER_nondet_int(), out;
  if (in < 0 || in > 2)
    return 0;
  goto *table[in];
zero:
  out = 0;
  goto end;
one:
  out = 1;
  goto end;
two:
  out = 2;
end:
  assert(in == out);
  return 0;
}
