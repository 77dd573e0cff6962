// expect: safe

// A static variable counts the calls of its function.

#include <assert.h>

static int serial(void) {
  static int last = 0;
  last++;
  return last;
}

int main(void) {
  int number = 0;

  for (int i = 0; i < 200; i++) {
    number = serial();
  }
  assert(number == 200);
  return 0;
}
