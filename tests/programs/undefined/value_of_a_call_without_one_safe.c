// expect: safe
// level: core
// unknown: random (cannot prove)

// One caller uses the value, another does not.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int sign(int x)
{
    if (x > 0) return 1;
    if (x < 0) return -1;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    sign(x);
    int s = sign(x);
    assert(x != 0 && s != 0);
    return 0;
}
