#include <assert.h>

struct pair {
    int values[2];
    int after;
};

int main(void)
{
    struct pair pair = {{0, 0}, 0};
    int *kept = pair.values;
    int at = 2;
    kept[at] = 1;
    assert(0);
    return 0;
}
