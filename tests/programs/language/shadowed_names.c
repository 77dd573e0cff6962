// expect: unsafe
// error-line: 19
// level: core

#include <assert.h>

int x = 1;

int main(void) {
  int x = 2;
  {
    int x = 3;
    for (int x = 0; x < 10; x++)
      ;
    x++;
  }
  {
    extern int x;
    assert(x != 1);
  }
  return 0;
}
