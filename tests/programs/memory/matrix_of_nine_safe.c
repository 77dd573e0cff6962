// expect: safe
// level: slow
// unknown: random (cannot prove)
// unknown: cra (summaries of a store at an index forget the other elements)

#include <assert.h>

int main(void) {
  int m[3][3];
  int trace = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m[i][j] = i == j ? 1 : 0;
  for (int i = 0; i < 3; i++)
    trace += m[i][i];
  assert(trace == 3);
  return 0;
}
