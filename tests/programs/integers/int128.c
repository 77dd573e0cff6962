// expect: unsafe
// error-line: 13
// level: core
// skip: impact (how far it gets is a matter of time)
// skip: predabs (finds it, in more than a second)

#include <assert.h>

int main(void) {
  unsigned __int128 n = 1;
  for (int i = 0; i < 100; i++)
    n *= 2;
  assert((unsigned)(n >> 98) != 4);
  return 0;
}
