// expect: unsafe
// error-line: 9
// level: core

#include <assert.h>

int main(int argc, char **argv) {
  if (argc == 2)
    assert(argv[1][0] != 0);
  return 0;
}
