// expect: safe
// level: core
// property: valid-deref
// unknown: gps* (a text is memory, which its formulas do not speak of)
// unknown: cra (a text is memory, which its formulas do not speak of)
// unknown: impact (a text is memory, which its formulas do not speak of)
// unknown: predabs (a text is memory, which its formulas do not speak of)
// unknown: random (cannot prove)

#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  char name[4], copy[4];
  for (int i = 0; i < 3; i++)
    name[i] = __VERIFIER_nondet_uchar();
  name[3] = 0;
  strcpy(copy, name);
  return strcmp(copy, name) ? 1 : (int)strlen(copy);
}
