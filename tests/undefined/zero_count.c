#include <assert.h>

int main(void)
{
    unsigned x = 0;
    int y = __builtin_clz(x);
    (void)y;
    assert(0);
    return 0;
}
