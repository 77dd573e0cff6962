// expect: unsafe
// error-line: 15

// A negative index is compared as unsigned with the size of an object.

#include <assert.h>

int main(void) {
  int entries[10] = {0};
  int index = 20;

  while (index >= 0) {
    index -= 7;
  }
  assert(index < (int)sizeof entries && index + 1 > 0);
  return 0;
}
