// expect: safe

// Two positive factors keep their product positive while each stays small.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int width = 1, height = 1;

  while (__VERIFIER_nondet_int()) {
    if (width < 6) {
      width++;
    } else if (height < 6) {
      height++;
    }
    assert(width * height >= 1 && width * height <= 36);
  }
  return 0;
}
