#include <assert.h>

int main(void)
{
    int a[2] = {0};
    int *end = a + 2;
    int x = *end;
    (void)x;
    assert(0);
    return 0;
}
