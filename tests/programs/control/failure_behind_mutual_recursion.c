// expect: unsafe
// error-line: 24
// level: core
// skip: predabs (what it decides is a matter of time)

#include <assert.h>

static unsigned char odd(unsigned n);

static unsigned char even(unsigned n) {
  if (n == 0)
    return 1;
  return odd(n - 1);
}

static unsigned char odd(unsigned n) {
  if (n == 0)
    return 0;
  return even(n - 1);
}

int main(void) {
  unsigned char is_even = even(1000);
  assert(!is_even);
  return 0;
}
