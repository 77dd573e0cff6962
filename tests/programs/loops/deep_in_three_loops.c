// expect: unsafe
// error-line: 19
// level: core
// unknown: gps-paper (needs leaps)
// skip: impact (one iteration after the other: more than fit into a second)
// skip: predabs (one iteration after the other: more than fit into a second)

// Some 10^28 turns lie before the failure: no machine gets there.

#include <assert.h>

int main(void) {
  unsigned most = 4000000000u;
  unsigned a, b, c;

  for (a = 1; a <= most; ++a) {
    for (b = 0; b < most; ++b) {
      for (c = most; c > 0; c -= 2) {
        assert(!(a == most && b + 1 == a && c == 2));
      }
    }
  }
  return 0;
}
