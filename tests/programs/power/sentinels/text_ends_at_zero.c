// expect: safe

// A string with its end mark: the index never passes it.

#include <assert.h>

int main(void) {
  char name[] = "cairn";
  int length = 0;

  while (name[length] != 0) {
    length++;
  }
  assert(length == 5);
  return 0;
}
