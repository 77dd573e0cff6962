// expect: safe
// level: slow
// unknown: random (cannot prove)

#include <assert.h>

int main(void) {
  int a[5];
  int sum = 0;
  for (int i = 0; i < 5; i++)
    a[i] = i + 1;
  for (int i = 0; i < 5; i++)
    sum += a[i];
  assert(sum == 15);
  return 0;
}
