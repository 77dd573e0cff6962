// expect: safe
// level: core
// unknown: random (cannot prove)

#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int table[3][4] = {{0}};
    unsigned char column = __VERIFIER_nondet_uchar();
    table[0][column] = 7;
    assert(column < 4);
    return 0;
}
