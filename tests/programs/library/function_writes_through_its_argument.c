// expect: unsafe
// error-line: 9
// level: core

#include <assert.h>
extern void fill(int *to);
int main(void) {
  int x = 1;
  fill(&x); assert(x == 1);
  return 0;
}
