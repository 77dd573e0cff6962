#include <assert.h>
#include <limits.h>

int main(void)
{
    int x = INT_MAX;
    x++;
    assert(0);
    return 0;
}
