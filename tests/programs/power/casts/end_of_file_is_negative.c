// expect: safe

// A getc that gives -1 or a byte: the loop ends at the mark and no byte looks
// like it.

#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static int get(void) {
  if (__VERIFIER_nondet_int()) {
    return -1;
  }
  return __VERIFIER_nondet_uchar();
}

int main(void) {
  int c;

  while ((c = get()) != -1) {
    assert(c >= 0 && c <= 255);
  }
  return 0;
}
