// expect: unsafe
// error-line: 18
// level: core

#include <assert.h>

int main(void) {
  int count = 0;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      if (j == 2)
        break;
      if (i == 1)
        continue;
      count++;
    }
  }
  assert(count != 6);
  return 0;
}
