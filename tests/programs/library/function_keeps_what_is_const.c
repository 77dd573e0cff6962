// expect: safe
// level: core
// unknown: random (it proves nothing)

#include <assert.h>
extern int look(const int *at);
int main(void) {
  int x = 1;
  int y = look(&x);
  assert(x == 1 || y);
  return 0;
}
