/* Integer conversions, promotions and comparisons of mixed types. */
#include <stdio.h>
#include <limits.h>
#include <stdint.h>
static unsigned char uc(int x) { return x; }
static signed char sc(int x) { return x; }
static short sh(long x) { return x; }
static unsigned short us(long x) { return x; }
static _Bool bo(int x) { return x; }
static unsigned un(long long x) { return x; }
static int in(unsigned long long x) { return x; }
int main(void) {
    printf("%d %d %d %d\n", uc(-1), sc(200), sh(70000), us(-5));
    printf("%d %d %d\n", bo(256), bo(0), bo(-7));
    printf("%u %d\n", un(-1LL), in(0x1ffffffffULL));
    signed char a = -128; unsigned char b = 255; short c = -32768; unsigned short d = 65535;
    printf("%d %d %d %d\n", a + b, a * b, c - d, d * 3);
    printf("%d %d %d\n", -1 < 1u, (short)-1 < (unsigned short)1, -1L < 1u);
    printf("%d\n", -1LL < 1u);
    printf("%u %lu %llu\n", -1 + 0u, (unsigned long)-1, (unsigned long long)-1);
    unsigned x = 4000000000u; int y = -5; long long z = x; 
    printf("%lld %lld %u %d\n", z, (long long)y, x + y, (int)(x / 2) - y);
    printf("%d %d %d %d\n", a >> 1, b >> 1, a & b, ~b);
    printf("%d %d\n", (unsigned char)~b, !b);
    printf("%lld %llu\n", (long long)INT_MIN, (unsigned long long)INT_MIN);
    printf("%d %d %d %d\n", 7 / -2, 7 % -2, -7 / 2, -7 % 2);
    printf("%u %u\n", 0u - 1, 1u << 31);
    printf("%lu %lu %lu %lu\n", (unsigned long)sizeof(int), (unsigned long)sizeof(long), (unsigned long)sizeof(void *), (unsigned long)sizeof(long double));
    printf("%d %d\n", (int)sizeof('a'), (int)sizeof(a + a));
    char ch = 'z'; ch += 10; printf("%d\n", ch);
    unsigned char w = 250; w += 10; printf("%d\n", w); w -= 20; printf("%d\n", w); w *= 3; printf("%d\n", w);
    w <<= 3; printf("%d\n", w); w >>= 2; printf("%d\n", w); w ^= 0xff; printf("%d\n", w);
    short s = 32767; s++; printf("%d\n", s); s--; printf("%d\n", s);
    unsigned short q = 0; q--; printf("%d\n", q); ++q; printf("%d\n", q);
    _Bool bb = 0; bb++; printf("%d\n", bb); bb++; printf("%d\n", bb); bb--; printf("%d\n", bb); bb--; printf("%d\n", bb);
    bb = 0.5; printf("%d\n", bb); bb = (void *)0; printf("%d\n", bb); bb += 2; printf("%d\n", bb);
    int64_t big = INT64_MAX; printf("%d %d\n", (int)big, (int)(big >> 33));
    printf("%d %d\n", 'a' == 97, '\377' < 0);
    int i;
    i = 5; i += 3.7; printf("%d\n", i); i *= 1.5; printf("%d\n", i); i /= 0.7; printf("%d\n", i);
    unsigned u = 7; u /= -1; printf("%u\n", u); 
    long l = 100; l -= 200u; printf("%ld\n", l);
    long long ll = 100; ll -= 200u; printf("%lld\n", ll);
    printf("%d %d\n", 5 > 3 > 1, (5 > 3) == 1);
    enum E { A = -1, B, C = 40 } e = B; e++; printf("%d %d\n", e, e < A);
    enum F { P, Q = 0x80000000u } f = Q; printf("%d %u\n", f > 0, f);
    printf("%d\n", (int)(char)0x180);
    uint8_t m[4] = {1, 2, 3, 255}; uint32_t word = (uint32_t)m[3] << 24 | m[2] << 16 | m[1] << 8 | m[0];
    printf("%x\n", word);
    return 0;
}
