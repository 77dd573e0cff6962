// expect: unsafe
// property: valid-deref
// error-line: 11
// level: core

#include <stdio.h>

int main(void) {
  char text[3] = {'a', 'b', 'c'};
  printf("%d\n", 1);
  printf("%d %s\n", 2, text);
  return 0;
}
