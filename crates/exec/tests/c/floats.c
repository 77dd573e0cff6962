/* Floating-point arithmetic and conversions. */
#include <stdio.h>
static double half(double x) { return x / 2; }
static float third(float x) { return x / 3; }
int main(void) {
    float f = 0.1f; double d = 0.1; 
    printf("%.9g %.17g %d\n", f, d, f == d);
    printf("%.17g %.9g\n", half(7), third(1));
    f += d; printf("%.9g\n", f); d += f; printf("%.17g\n", d);
    int i = -3.99; unsigned u = 3e9; long long l = -1e18; unsigned char c = 200.9;
    printf("%d %u %lld %d\n", i, u, l, c);
    d = 123456789012345678LL; f = 16777217; printf("%.17g %.9g\n", d, f);
    d = 18446744073709551615ULL; f = 4294967295u; printf("%.17g %.9g\n", d, f);
    f = 3; f++; --f; printf("%g\n", f++); printf("%g %g\n", f, -f);
    d = 0; printf("%d %d %d\n", !d, d ? 1 : 2, d || f);
    printf("%d %d %d\n", 1.5 < 2, 2.5f >= 2.5, 0.0 == -0.0);
    f = 1e30f; f *= 1e30f; printf("%d %d\n", f > 1e38f, f == f + 1);
    double nan = (f - f); printf("%d %d %d\n", nan == nan, nan != nan, nan < 1);
    printf("%d %d\n", !(nan < 1), !(nan >= 1));
    if (nan) printf("nan is true\n");
    if (!(nan > 0) && !(nan <= 0)) printf("unordered\n");
    double a[3] = {1.5, 2.5, 3.5}, s = 0; for (i = 0; i < 3; i++) s += a[i] * i; printf("%g\n", s);
    float x = 2147483647; printf("%.1f %d\n", x, (int)(x / 4));
    _Bool b = 0.0001; printf("%d\n", b); b = 0.0; printf("%d\n", b);
    printf("%g %g\n", (double)(float)0.1, (float)1 / 3 * 3);
    union { float f; unsigned u; } pun; pun.f = -1.5f; printf("%x\n", pun.u); pun.u ^= 0x80000000u; printf("%g\n", pun.f);
    i = 7; i = i * 0.5 + 0.5; printf("%d\n", i);
    printf("%e %f %g %5.2f|%-8.3f|%08.2f\n", 12345.678, 1e-3, 1e20, 3.14159, 2.5, -1.5);
    return 0;
}
