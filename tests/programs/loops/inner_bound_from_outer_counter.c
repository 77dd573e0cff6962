// expect: unsafe
// error-line: 18
// level: core
// unknown: gps-paper (needs leaps)
// skip: impact (how far it gets is a matter of time)
// skip: predabs (what it decides is a matter of time)

#include <assert.h>

int main(void) {
  int last = 0;

  for (int i = 0; i < 2000000000; i++) {
    for (int j = 0; j < i; j++) {
      last = j;
    }
  }
  assert(last < 1999999998);
  return 0;
}
