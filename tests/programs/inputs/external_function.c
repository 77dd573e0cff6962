// expect: unsafe
// error-line: 10
// level: core

#include <assert.h>
extern int ask(int question);

int main(void) {
  int a = ask(1), b = ask(2);
  assert(!(a > 100 && b < 0));
  return 0;
}
