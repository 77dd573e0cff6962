// expect: safe
// level: core

#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int sum(int a, int b) { return a + b; }

int main(void)
{
    int i = 1, a[4] = {0};
    switch (__VERIFIER_nondet_int()) {
    case 0: i = i++ + 1; break;
    case 1: i = i + i++; break;
    case 2: a[i] = i++; break;
    case 3: i = sum(i, i++); break;
    case 4: i += i--; break;
    case 5: if (i == i++) break; break;
    default: return 0;
    }
    assert(0);
    return 0;
}
