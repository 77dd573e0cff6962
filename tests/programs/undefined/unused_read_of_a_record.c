// expect: unsafe
// error-line: 15
// level: core
// property: valid-deref

struct point {
    int x;
    int y[2];
};

struct point *nowhere;

int main(void)
{
    *nowhere;
    return 0;
}
