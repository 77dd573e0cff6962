// expect: unknown
// level: core
// A builtin that is not modelled returned any value, and stored nothing.

#include <assert.h>

int main(void) {
  unsigned carry = 7;
  unsigned difference = __builtin_subc(1u, 2u, 0u, &carry);
  assert(carry == 1 && difference == -1u);
  return 0;
}
