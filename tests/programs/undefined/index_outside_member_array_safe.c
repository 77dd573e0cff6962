// expect: safe
// level: core
// unknown: random (cannot prove)

// The element is inside the record, but not inside the array: the run is over.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

struct pair {
    int values[2];
    int after;
};

int main(void)
{
    struct pair pair = {{0, 0}, 0};
    unsigned char at = __VERIFIER_nondet_uchar();
    pair.values[at] = 7;
    assert(at < 2);
    return 0;
}
