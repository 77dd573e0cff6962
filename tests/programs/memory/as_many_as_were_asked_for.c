// expect: safe
// level: core
// unknown: gps* (it does not know memory exactly)
// unknown: cra (it does not know memory exactly)
// unknown: impact (it does not know memory exactly)
// unknown: predabs (it does not know memory exactly)
// unknown: la (it does not know memory exactly)
// unknown: random (finds no proofs)

#include <assert.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char n = __VERIFIER_nondet_uchar();
  if (n < 2 || n > 20)
    return 0;
  int *row = malloc(n * sizeof *row);
  if (!row)
    return 0;
  row[0] = 7;
  row[n - 1] = 9;
  assert(row[0] == 7 && row[n - 1] == 9);
  free(row);
  return 0;
}
