// expect: unsafe
// error-line: 15
// level: core
// property: valid-deref

#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  char name[4];
  for (int i = 0; i < 3; i++)
    name[i] = 'a';
  name[3] = __VERIFIER_nondet_uchar() == 200 ? 'b' : 0;
  return (int)strlen(name);
}
