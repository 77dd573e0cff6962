#include <assert.h>

static int three(int x)
{
    if (x) return 3;
}

int main(void)
{
    int x = three(0);
    x++;
    assert(0);
    return 0;
}
