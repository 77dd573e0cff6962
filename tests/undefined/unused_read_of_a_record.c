#include <assert.h>

struct pair {
    int values[2];
    int after;
};

struct pair *nowhere;

int main(void)
{
    *nowhere;
    assert(0);
    return 0;
}
