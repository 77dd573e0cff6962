// expect: unsafe
// error-line: 19

// The product of width and height does not fit into the 16 bits of the size.

#include <assert.h>

extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
  unsigned short width = __VERIFIER_nondet_ushort();
  unsigned short height = __VERIFIER_nondet_ushort();
  unsigned short size;

  if (width < 200 || width > 300 || height != 256) {
    return 0;
  }
  size = (unsigned short)((unsigned)width * height);
  assert(size >= width);
  return 0;
}
