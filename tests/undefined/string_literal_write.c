#include <assert.h>

int main(void)
{
    char *text = "abc";
    text[0] = 1;
    assert(0);
    return 0;
}
