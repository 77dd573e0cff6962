// expect: safe
// level: core
// unknown: random (it proves nothing)

#include <assert.h>
extern void read(int);
extern int ask(void);
int main(void) {
  int n = ask();
  if (n < 0)
    return 0;
  read(n);
  assert(n >= 0);
  return 0;
}
