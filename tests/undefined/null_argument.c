#include <assert.h>
#include <string.h>

int main(void)
{
    char to[2] = {0}, *from = 0;
    memcpy(to, from, 0);
    assert(0);
    return 0;
}
