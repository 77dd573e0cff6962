#include <assert.h>

int main(void)
{
    int n = -1;
    int a[n];
    (void)a;
    assert(0);
    return 0;
}
