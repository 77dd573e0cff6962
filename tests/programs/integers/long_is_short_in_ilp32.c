// expect: unsafe
// error-line: 9
// level: core
// data-model: ILP32

#include <assert.h>

int main(void) {
  assert(sizeof(long) == 8 || sizeof(void *) == 8);
  return 0;
}
