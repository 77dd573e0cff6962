// expect: unsafe
// error-line: 27
// level: core

// All of these are in order, and so are the runs through them.
#include <assert.h>

static int twice(int x) { return 2 * x; }

struct node {
    struct node *next;
};

int main(void)
{
    int i = 1, a[4] = {0};
    struct node first = {0}, second = {0}, *at = &first;
    i = (i++, i + 1);
    i = twice(i++);
    i = i++ ? i : 0;
    if (i++ && i) i += 1;
    a[i & 3] = i;
    int j = i++, k = i++;
    i = j = k;
    at = at->next = &second;
    i = i + (a[0] = 1) + (a[1] = 2);
    assert(at == &first || i != 13);
    return 0;
}
