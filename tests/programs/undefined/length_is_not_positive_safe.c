// expect: unknown
// level: core

// The run ends; that variable-length arrays have no formula leaves it without a proof.
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
