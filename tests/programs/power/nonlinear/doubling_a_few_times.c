// expect: safe

// Ten doublings make a factor of 1024.

#include <assert.h>

int main(void) {
  int colony = 1;

  for (int hour = 0; hour < 10; hour++) {
    colony *= 2;
  }
  assert(colony == 1024);
  return 0;
}
