// expect: unsafe
// error-line: 14

// From an odd height steps of two miss zero; the loop ends below it.

#include <assert.h>

int main(void) {
  int height = 90001;

  while (height > 0) {
    height -= 2;
  }
  assert(height == 0);
  return 0;
}
