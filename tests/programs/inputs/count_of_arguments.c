// expect: unsafe
// error-line: 8
// level: core

#include <assert.h>

int main(int argc, char **argv) {
  assert(argc != 3);
  return 0;
}
