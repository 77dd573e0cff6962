#include <assert.h>

int main(void)
{
    int x = 0;
    int y = 5 % x;
    (void)y;
    assert(0);
    return 0;
}
