// expect: unsafe
// error-line: 14
// level: core

#include <assert.h>
#include <string.h>

int main(void) {
  int a[4], b[4];
  memset(a, 0xff, sizeof a);
  memcpy(b, a, sizeof a);
  b[3] = 0;
  memmove(b, b + 1, 3 * sizeof(int));
  assert(b[2] != 0 || b[1] != -1 || memcmp(a, b, 2 * sizeof(int)) != 0);
  return 0;
}
