// expect: unsafe
// error-line: 13
// level: core

#include <assert.h>

int main(void) {
  int m[3][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      m[i][j] = 10 * i + j;
  int *flat = &m[0][0];
  assert(m[2][3] != 23 || *(*(m + 1) + 2) != 12 || flat[0] != 0);
  return 0;
}
