// Nothing can go wrong here: the assertion stands where no path leads.
//
//   cairn check examples/safe.c
#include <assert.h>

static int debug(int n) {
  assert(n > 0);
  return n;
}

int main(void) {
  int (*unused)(int) = debug;
  int sum = 0;
  for (int i = 1; i <= 10; i++)
    sum += i;
  return unused != 0 && sum == 55 ? 0 : 1;
}
