#include <assert.h>

struct pair {
    int first, second;
};

int main(void)
{
    struct pair *pair = 0;
    int *p = &pair->second;
    (void)p;
    assert(0);
    return 0;
}
