// expect: safe

// The last element is the mark, so that the search ends within the buffer.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int buffer[6];
  int i = 0;

  for (int k = 0; k < 5; k++) {
    buffer[k] = __VERIFIER_nondet_int();
  }
  buffer[5] = -1;
  while (buffer[i] != -1) {
    i++;
    assert(i <= 5);
  }
  assert(buffer[i] == -1);
  return 0;
}
