// expect: unsafe
// error-line: 17
// level: core

#include <assert.h>

static int log_it(int x)
{
    if (x) return x;
}

int main(void)
{
    int seen = log_it(2);
    log_it(0);
    seen += log_it(3);
    assert(seen != 5);
    return 0;
}
