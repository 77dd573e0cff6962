#include <assert.h>
#include <string.h>

int main(void)
{
    _Bool b;
    unsigned char two = 2;
    memcpy(&b, &two, 1);
    int x = b;
    (void)x;
    assert(0);
    return 0;
}
