#include <assert.h>

int main(void)
{
    double d = 1e20;
    int i = (int)d;
    (void)i;
    assert(0);
    return 0;
}
