// expect: unsafe
// error-line: 27
// level: core
// skip: gps* (it does not know bits exactly)
// skip: cra (it does not know bits exactly)
// skip: random (what it finds is a matter of time)

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned char sum(const unsigned char *bytes, int count) {
  unsigned char total = 0;
  for (int i = 0; i < count; i++)
    total = (unsigned char)(total + bytes[i]);
  return total;
}

int main(void) {
  unsigned char a[3], b[3];
  for (int i = 0; i < 3; i++) {
    a[i] = __VERIFIER_nondet_uchar();
    b[i] = __VERIFIER_nondet_uchar();
  }
  if (a[0] == b[0])
    return 0;
  assert(sum(a, 3) != sum(b, 3));
  return 0;
}
