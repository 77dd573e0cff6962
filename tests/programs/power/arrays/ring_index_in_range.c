// expect: safe

// The write index of a ring buffer is reset before it leaves the array.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int ring[8] = {0};
  int head = 0;

  while (__VERIFIER_nondet_int()) {
    assert(head >= 0 && head < 8);
    ring[head] = 1;
    head++;
    if (head == 8) {
      head = 0;
    }
  }
  return 0;
}
