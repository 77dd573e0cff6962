// expect: safe

// Too many elements to be variables: what is shown of one holds for all.

#include <assert.h>

int main(void) {
  int a[5000];
  int n = 5000;
  for (int i = 0; i < n; i++) {
    a[i] = 0;
  }
  for (int j = 0; j < n; j++) {
    assert(a[j] == 0);
  }
  return 0;
}
