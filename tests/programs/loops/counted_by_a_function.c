// expect: unsafe
// error-line: 24
// level: core
// unknown: gps-paper (needs leaps)
// skip: impact (one iteration after the other: more than fit into a second)
// skip: predabs (one iteration after the other: more than fit into a second)

#include <assert.h>

static int next(int value) {
  int sum;
  sum = value + 1;
  return sum;
}

int main(void) {
  int i, j, seen = 0;

  for (i = 0; i < 1000000000; i = next(i)) {
    for (j = 0; j < 1000000000; j = next(j)) {
      seen = 7;
    }
  }
  assert(i + seen != 1000000007);
  return 0;
}
