// expect: unsafe
// error-line: 8
// level: core

#include <assert.h>

int main(int argc, char **argv) {
  assert(argc != 1 || argv[1]);
  return 0;
}
