// expect: unsafe
// error-line: 9
// level: core

#include <assert.h>

int main(int argc, char **argv) {
  (void)argv;
  assert(argc < 3);
  return 0;
}
