#include <assert.h>

int main(void)
{
    int amount = 32;
    int y = 1 << amount;
    (void)y;
    assert(0);
    return 0;
}
