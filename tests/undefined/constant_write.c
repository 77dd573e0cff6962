#include <assert.h>

int main(void)
{
    const int c = 3;
    *(int *)&c = 4;
    assert(0);
    return 0;
}
