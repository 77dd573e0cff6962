#include <assert.h>

static _Noreturn void stop(void)
{
}

int main(void)
{
    stop();
    assert(0);
    return 0;
}
