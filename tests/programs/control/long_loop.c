// expect: unsafe
// error-line: 13
// level: core
// skip: impact (one iteration after the other: more than fit into a second)
// skip: predabs (one iteration after the other: more than fit into a second)

#include <assert.h>

int main(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 100000; i++)
    sum += i;
  assert(sum != 704982704u);
  return 0;
}
