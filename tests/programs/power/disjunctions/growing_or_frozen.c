// expect: safe

// Either the size still follows the count, or it is frozen at the limit.

#include <assert.h>

int main(void) {
  int count = 0, size = 0;

  while (count < 5000) {
    count++;
    if (size < 80) {
      size++;
    }
    assert(size == count || size == 80);
  }
  return 0;
}
