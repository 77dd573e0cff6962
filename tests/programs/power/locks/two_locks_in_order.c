// expect: safe

// The second lock is only taken under the first and released before it.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int outer = 0, inner = 0;

  while (1) {
    int event = __VERIFIER_nondet_int();
    if (event == 1 && !outer) {
      outer = 1;
    } else if (event == 2 && outer && !inner) {
      inner = 1;
    } else if (event == 3 && inner) {
      inner = 0;
    } else if (event == 4 && outer && !inner) {
      outer = 0;
    } else if (event == 5) {
      break;
    }
    assert(!inner || outer);
  }
  return 0;
}
