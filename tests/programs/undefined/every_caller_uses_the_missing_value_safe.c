// expect: safe
// level: core
// unknown: random (cannot prove)

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int third(int x)
{
    switch (x) {
    case 0: return 3;
    case 1: return 2;
    case 2: return 1;
    }
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = third(x);
    assert(x >= 0 && x <= 2 && y == 3 - x);
    return 0;
}
