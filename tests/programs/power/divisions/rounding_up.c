// expect: safe

// The number of pages of ten lines has room for all lines, but is not a page
// too many.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int lines = 0, pages = 0;

  while (lines < 5000 && __VERIFIER_nondet_int()) {
    lines++;
    if (10 * pages < lines) {
      pages++;
    }
    assert(pages == (lines + 9) / 10);
  }
  return 0;
}
