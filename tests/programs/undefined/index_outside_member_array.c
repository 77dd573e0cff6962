// expect: unsafe
// error-line: 18
// level: core
// property: valid-deref

extern unsigned char __VERIFIER_nondet_uchar(void);

struct pair {
    int values[2];
    int after;
};

int main(void)
{
    struct pair pair = {{0, 0}, 0};
    unsigned char at = __VERIFIER_nondet_uchar();
    if (at > 2) return 0;
    pair.values[at] = 7;
    return 0;
}
