// expect: unsafe
// error-line: 16

// A byte counts 300 events and shows 44.

#include <assert.h>

int main(void) {
  unsigned char shown = 0;
  int events = 0;

  while (events < 300) {
    shown++;
    events++;
  }
  assert(shown != 44);
  return 0;
}
