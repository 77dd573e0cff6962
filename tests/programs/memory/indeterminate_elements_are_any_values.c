// expect: unsafe
// error-line: 17
// level: core
// skip: gps* (no formula of a path describes this memory; when it gives up is a matter of time)
// skip: impact (as gps)
// skip: cra (as gps)
// skip: predabs (as gps)

#include <assert.h>

int main(void) {
  for (int i = 0; i < 2; i++) {
    int a[2];
    if (i == 0)
      a[0] = 1;
    a[1] = 2;
    assert(i == 0 || a[0] == 0);
  }
  return 0;
}
