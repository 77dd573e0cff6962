// expect: safe
// level: core
// unknown: random (cannot prove)

// The run ends where the length is not positive, so it is positive behind.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 2) return 0;
    int a[n];
    assert(n > 0);
    return 0;
}
