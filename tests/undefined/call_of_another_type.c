#include <assert.h>

static int same(int x)
{
    return x;
}

int main(void)
{
    int (*other)(void) = (int (*)(void))same;
    other();
    assert(0);
    return 0;
}
