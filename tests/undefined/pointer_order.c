#include <assert.h>

static int below(int *a, int *b)
{
    return a < b;
}

int main(void)
{
    int a = 0, b = 0;
    below(&a, &b);
    assert(0);
    return 0;
}
