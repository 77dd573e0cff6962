#include <assert.h>

int main(void)
{
    int i = 1;
    i = i++ + i++;
    assert(0);
    return 0;
}
