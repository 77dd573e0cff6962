// expect: safe
// level: core
// unknown: random (cannot prove)
// skip: cra (its effort for labels of the loops takes seconds)

// No run comes to the recursion. A proof said so of the place in front of its entry that keeps the
// values at the entry, which the program itself does not have.
#include <assert.h>

unsigned total = 3;

int descend(int n, long k) {
  if (n <= 0)
    return 4;
  int v = descend(n - 1, k);
  k *= v * v;
  unsigned i = 0;
  while (i < (n & 7)) {
    int j = 0;
    do {
      j += 2;
      total -= n - k;
    } while (j < 5);
    if (total != 2)
      break;
    assert(v != 0);
  }
  return v;
}

int main(void) {
  int a[3] = {6, 5, 1};
  a[3] ^= 12;
  return descend(total & 7, a[2]);
}
