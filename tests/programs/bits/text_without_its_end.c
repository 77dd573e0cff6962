// expect: unsafe
// error-line: 22
// level: core
// skip: gps* (it does not know memory exactly)
// skip: cra (it does not know memory exactly)
// skip: random (what it finds is a matter of time)
// unknown: impact (it does not know bits exactly)
// unknown: predabs (it does not know memory exactly)

#include <assert.h>
#include <string.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
  char from[4] = {0}, to[3] = {'x', 'x', 'x'};
  for (int i = 0; i < 3; i++)
    from[i] = __VERIFIER_nondet_char();
  strncpy(to, from, 2);
  to[2] = from[2];
  /* A zero in front hides what was copied behind it. */
  assert(strncmp(to, from, 3) != 0 || memcmp(to, from, 3) == 0);
  return 0;
}
