// expect: unsafe
// error-line: 13
// level: core
// skip: impact (how far it gets is a matter of time)
// skip: predabs (what it decides is a matter of time)

#include <assert.h>

int main(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 100000; i++)
    sum += i;
  assert(sum != 704982704u);
  return 0;
}
